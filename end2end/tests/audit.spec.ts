// The audit log: an admin logs in for it, even if reading is public.
import { violations } from "../fixtures/axe";
import { uploadRecord } from "../fixtures/data";
import { hydrated, sidewaysScroll } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

// Browsers report pages with a status other than 200.
test.use({ expectedConsole: /status of 40[13]/ });

for (const width of [1280, 360]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("an admin logs in, sees who deleted a record, and logs out", async ({ page, ownServer }) => {
      const { id } = await uploadRecord(ownServer, { branch_name: "fix/</title><b id=x>" });
      const token = await ownServer.tokenCommand("create", "--name", "ops", "--for", "admin");
      const headers = { authorization: `Bearer ${token}` };
      const deleted = await page.request.delete(`${ownServer.url}/coverages-api/records/${id}`, { headers });
      expect(deleted.status()).toBe(204);

      expect((await page.goto(`${ownServer.url}/audit`))?.status()).toBe(401);
      await page.getByLabel("Admin token").fill("cov_wrong");
      await page.getByRole("button", { name: "Log in" }).click();
      await expect(page.getByRole("alert")).toContainText("This token is damaged");
      await page.getByLabel("Admin token").fill(token);
      await page.getByRole("button", { name: "Log in" }).click();

      await expect(page).toHaveURL(`${ownServer.url}/audit`);
      await hydrated(page);
      const row = page.getByRole("row", { name: /Record deleted/ });
      await expect(row).toContainText(`record ${id}: fix/</title><b id=x>`);
      await expect(row).toContainText("token ops");
      await expect(page.locator("#x")).toHaveCount(0);
      await page.getByLabel("Action").selectOption("Token created");
      await expect(row).toHaveCount(0);
      await expect(page.getByRole("row", { name: /Token created/ })).toHaveCount(1);

      expect(await violations(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);

      await page.getByRole("button", { name: "Log out" }).click();
      await expect(page.getByRole("button", { name: "Log out" })).toHaveCount(0);
      await page.goto(`${ownServer.url}/audit`);
      await expect(page.getByLabel("Admin token")).toBeVisible();
    });
  });
}
