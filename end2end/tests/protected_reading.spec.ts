// PROTECT_READING: a person logs in with a read token and reads pages and reports.
import type { Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { uploadRecord } from "../fixtures/data";
import { hydrated, sidewaysScroll } from "../fixtures/page";
import { freePort, type Server, startServer } from "../fixtures/server";
import { expect, test as base } from "../fixtures/test";

interface Protected {
  dashboard: Server;
  readToken: string;
}

const test = base.extend<{ hasReportsOrigin: boolean; locked: Protected }>({
  hasReportsOrigin: [false, { option: true }],
  locked: async ({ context, hasReportsOrigin }, use) => {
    const port = await freePort();
    const reports = { "--addr": `127.0.0.1:${port}`, "--reports-origin": `http://reports.localhost:${port}` };
    const dashboard = await startServer({ "--protect-reading": true, ...(hasReportsOrigin ? reports : {}) });
    const readToken = await dashboard.tokenCommand("create", "--name", "reader", "--for", "read");
    await use({ dashboard, readToken });
    await Promise.all(context.pages().map((page) => page.close()));
    await dashboard.stop();
  },
});
// Browsers report pages with a status other than 200, and the weak sandbox of reports on their own origin.
test.use({ expectedConsole: /status of 401|allow-same-origin/ });

async function logIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Read token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
}

const login = (page: Page) => page.getByRole("heading", { name: "Log in" });

test("a reader logs in, browses, opens a working report, and logs out", async ({ page, locked }) => {
  const { dashboard, readToken } = locked;
  const { id } = await uploadRecord(dashboard, { commit_hash: "c0ffee1" });
  const address = `${dashboard.url}/repos/acme/parking?branch_name=main`;
  expect((await page.goto(address))?.status()).toBe(401);
  await expect(login(page)).toBeVisible();
  await expect(page.getByLabel("Read token")).toBeFocused();

  await logIn(page, "cov_wrong");
  await expect(page.getByRole("alert")).toContainText("This token is damaged");
  await expect(page.getByLabel("Read token")).toHaveAccessibleDescription(/This token is damaged/);
  await logIn(page, readToken);
  await expect(page).toHaveURL(address);
  await hydrated(page);
  await expect(page.getByTestId("headline")).toContainText("75.00");

  await page.getByRole("link", { name: "Coverage", exact: true }).click();
  await expect(page.getByTestId("org").getByRole("row", { name: /parking/ })).toContainText("75.00");
  await page.getByRole("link", { name: "parking", exact: true }).click();
  await expect(page.getByTestId("headline"), "rendered by the browser").toContainText("75.00");

  await page.getByTestId("headline").getByRole("link", { name: "HTML report of main, python" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  for (const step of ["opened", "reloaded"]) {
    if (step === "reloaded") await page.reload();
    await expect(heading).toHaveText("c0ffee1");
    expect(await page.evaluate(() => origin), "it is in a sandbox").toBe("null");
    await expect(heading, `its style sheet is there when ${step}`).toHaveCSS("color", "rgb(1, 2, 3)");
    await page.getByRole("button", { name: "Coverage" }).click();
    await expect(page.locator("tbody tr"), `its script sorts when ${step}`).toContainText(["gate.py", "parking.py", "barrier.py"]);
  }
  await page.getByRole("link", { name: "parking.py" }).click();
  await expect(heading).toHaveText("parking.py");
  await expect(heading).toHaveCSS("color", "rgb(1, 2, 3)");

  await page.goto(`${dashboard.url}/repos/acme/parking`);
  await hydrated(page);
  expect(await page.evaluate(() => localStorage.length), "the palette remembers the page").toBe(1);
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(login(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.length), "and forgets it").toBe(0);
  for (const path of ["/repos/acme/parking", `/reports/${id}/`, "/coverages-api"]) {
    expect.soft((await page.goto(dashboard.url + path))?.status(), path).toBe(401);
    await expect(login(page), path).toBeVisible();
  }
});

for (const hasReportsOrigin of [false, true]) {
  test.describe(hasReportsOrigin ? "reports on their own origin" : "reports on the dashboard's origin", () => {
    test.use({ hasReportsOrigin });

    test("a login for a report leads to the report", async ({ page, locked: { dashboard, readToken } }) => {
      const { id } = await uploadRecord(dashboard, { commit_hash: "c0ffee1" });
      await page.goto(`${dashboard.url}/reports/${id}/`);
      await logIn(page, readToken);
      const heading = page.getByRole("heading", { level: 1 });
      await expect(heading).toHaveText("c0ffee1");
      await expect(heading, "its style sheet is there").toHaveCSS("color", "rgb(1, 2, 3)");
      expect(new URL(page.url()).hostname).toBe(hasReportsOrigin ? "reports.localhost" : "127.0.0.1");
    });
  });
}

test("a session ends with the next page after its token was revoked", async ({ page, locked: { dashboard, readToken } }) => {
  await page.goto(dashboard.url);
  await logIn(page, readToken);
  await expect(page.getByRole("heading", { name: "Waiting for the first upload" })).toBeVisible();
  await dashboard.tokenCommand("revoke", "reader");
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("was revoked");
});

for (const width of [1280, 360]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("the login page violates no WCAG 2.2 AA, and fits", async ({ page, locked: { dashboard, readToken } }) => {
      const check = async (state: string) => {
        expect.soft(await violations(page), state).toEqual([]);
        expect.soft(await sidewaysScroll(page), state).toBeLessThanOrEqual(0);
      };
      await page.goto(dashboard.url);
      await check("at first");
      await logIn(page, "wrong");
      await expect(page.getByRole("alert")).toBeVisible();
      await check("after a wrong token");
      await logIn(page, readToken);
      await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
      await hydrated(page);
      await check("with a way out");
    });
  });
}
