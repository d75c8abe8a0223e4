// Tokens and the effective configuration: an admin logs in for them, even if reading is public.
import { violations } from "../fixtures/axe";
import { hydrated, sidewaysScroll } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

// Browsers report pages with a status other than 200.
test.use({ expectedConsole: /status of 40[13]/ });

for (const width of [1280, 320]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("an admin logs in and sees tokens and settings without secrets", async ({ page, ownServer }) => {
      const token = await ownServer.tokenCommand("create", "--name", "ops", "--for", "admin");
      const name = `${"long ".repeat(8)}${"n".repeat(50)}`;
      const secret = await ownServer.tokenCommand("create", "--name", name, "--org", "acme", "--repo", "payments", "--expires", "3d");
      await ownServer.tokenCommand("create", "--name", "gone");
      await ownServer.tokenCommand("revoke", "gone");

      expect((await page.goto(`${ownServer.url}/settings`))?.status()).toBe(401);
      await page.getByLabel("Admin token").fill(token);
      await page.getByRole("button", { name: "Log in" }).click();
      await expect(page).toHaveURL(`${ownServer.url}/settings`);
      await hydrated(page);

      const tokens = page.getByTestId("tokens");
      const row = (text: string) => tokens.locator("tbody tr").filter({ hasText: text });
      await expect(row(name)).toContainText("acme/payments");
      await expect(row(name)).toContainText("expires soon");
      await expect(row("gone")).toContainText("revoked on");
      await expect(row("UPLOAD_TOKEN")).toContainText("every repository");
      const settings = page.getByTestId("configuration");
      await expect(settings.locator("tr").filter({ hasText: "UPLOAD_TOKEN" })).toContainText("(hidden)");
      await expect(settings.locator("tr").filter({ hasText: "PROTECT_READING" })).toContainText("off");
      for (const hidden of [token, secret, ownServer.token]) expect(await page.content()).not.toContain(hidden);

      expect(await violations(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);

      await tokens.getByRole("button", { name: "Name" }).click();
      await expect(tokens.locator("tbody tr").first()).toContainText("gone");
      await page.getByRole("link", { name: "audit log" }).click();
      await expect(page).toHaveURL(`${ownServer.url}/audit`);
      await page.getByRole("link", { name: "Settings and tokens" }).click();
      await expect(page).toHaveURL(`${ownServer.url}/settings`);
      await page.getByRole("button", { name: "Log out" }).click();
      await expect(page.getByRole("button", { name: "Log out" })).toHaveCount(0);
      await page.goto(`${ownServer.url}/settings`);
      await expect(page.getByLabel("Admin token")).toBeVisible();
    });
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the settings are complete and sort without scripts", async ({ page, ownServer }) => {
    const token = await ownServer.tokenCommand("create", "--name", "ops", "--for", "admin");
    await ownServer.tokenCommand("create", "--name", "a first one");
    await page.goto(`${ownServer.url}/settings`);
    await page.getByLabel("Admin token").fill(token);
    await page.getByRole("button", { name: "Log in" }).click();
    const rows = page.getByTestId("tokens").locator("tbody tr");
    await expect(rows.first()).toContainText("UPLOAD_TOKEN");
    await page.getByTestId("tokens").getByRole("link", { name: "Name" }).click();
    await expect(rows.first()).toContainText("a first one");
    await expect(page.getByTestId("configuration")).toContainText("DATABASE_URL");
  });
});
