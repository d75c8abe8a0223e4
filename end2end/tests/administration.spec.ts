// What administrators do in the browser, each change in the audit log, and that a reader has no form for it.
import type { Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { hydrated, sidewaysScroll } from "../fixtures/page";
import { type Server, startServer } from "../fixtures/server";
import { expect, test as base } from "../fixtures/test";
import { upload } from "../fixtures/upload";

const test = base.extend<{ dashboard: Server }>({
  dashboard: async ({ context }, use) => {
    const dashboard = await startServer({ "--protect-reading": true });
    await use(dashboard);
    await Promise.all(context.pages().map((page) => page.close()));
    await dashboard.stop();
  },
});
// Browsers report pages with a status other than 200.
test.use({ expectedConsole: /status of 40[134]/ });

/** Uploads the commit of a pull request with 20 changed lines, of which half run if the number is even. Returns the record's id. */
async function uploadPull(server: Server, number: number): Promise<number> {
  const parameters = {
    org_name: "acme",
    repo_name: "payments",
    branch_name: `fix/${number}`,
    commit_hash: `c${number}`,
    commit_author: "Kim",
    language: "c",
    coverage_xml_file_name: "lcov.info",
    pull_request: String(number),
  };
  const lines = Array.from({ length: 20 }, (_, n) => `DA:${n + 1},${n % 2 || number % 2}\n`);
  const lcov = `SF:fee.c\n${lines.join("")}end_of_record\n`;
  const changes = "diff --git a/fee.c b/fee.c\n--- a/fee.c\n+++ b/fee.c\n@@ -0,0 +1,20 @@\n";
  const { status, body } = await upload(server, parameters, { "lcov.info": lcov }, { changes });
  expect(status, body.detail).toBe(201);
  return body.coverage.id;
}

/** Logs in where a page needs it. */
async function logIn(page: Page, address: string, token: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel(/^(Read|Admin) token$/).fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL(address);
  await hydrated(page);
}

async function logOut(page: Page, server: Server): Promise<void> {
  await page.goto(server.url);
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("button", { name: "Log out" })).toHaveCount(0);
}

for (const width of [1280, 320]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("an admin deletes a record, makes and revokes a token, and sets a gate; a reader cannot", async ({ page, dashboard }) => {
      test.slow();
      const admin = await dashboard.tokenCommand("create", "--name", "ops", "--for", "admin");
      const reader = await dashboard.tokenCommand("create", "--name", "reader", "--for", "read");
      let id = 0;
      for (let number = 1; number <= 22; number++) id = await uploadPull(dashboard, number);
      const [record, gates] = [`${dashboard.url}/records/${id}`, `${dashboard.url}/gates?org_name=acme&repo_name=payments`];
      const check = async (state: string) => {
        expect.soft(await violations(page), state).toEqual([]);
        expect.soft(await sidewaysScroll(page), state).toBeLessThanOrEqual(0);
      };

      // A reader has neither the links to the forms nor the forms.
      await logIn(page, record, reader);
      const forms = page.getByRole("main").locator("form[method=post], a[href^='/admin/']");
      for (const address of [record, gates, `${dashboard.url}/repos/acme/payments`]) {
        await page.goto(address);
        await hydrated(page);
        await expect(forms, address).toHaveCount(0);
      }
      await expect(page.getByRole("link", { name: "Settings", exact: true })).toHaveCount(0);
      for (const path of ["/settings", "/audit", `/admin/delete?record=${id}`, "/admin/revoke?token=1", "/admin/gate?org_name=acme&repo_name=payments"]) {
        expect((await page.goto(dashboard.url + path))?.status(), path).toBe(403);
        await expect(page.getByLabel("Admin token"), path).toBeVisible();
        await expect(page.locator("form:not([action='/login'])"), path).toHaveCount(0);
      }
      await logOut(page, dashboard);

      // A record.
      await logIn(page, record, admin);
      await page.getByRole("heading", { name: "About this record" }).click();
      await page.getByRole("link", { name: "Delete this record" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Delete this record?");
      await check("before a record is deleted");
      await page.getByRole("button", { name: "Delete the record" }).click();
      await expect(page).toHaveURL(`${dashboard.url}/repos/acme/payments`);
      expect((await page.goto(record))?.status()).toBe(404);

      // A token.
      await page.goto(dashboard.url);
      await page.getByRole("navigation", { name: "Service" }).getByRole("link", { name: "Settings" }).click();
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("made here");
      await page.getByLabel("Org", { exact: true }).fill("*");
      await page.getByRole("button", { name: "Make the token" }).click();
      await expect(page.getByLabel("Token", { exact: true })).toHaveText(/^cov_/);
      await check("a new token");
      await page.getByRole("link", { name: "Continue" }).click();
      await page.getByRole("link", { name: "Revoke made here" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Revoke this token?");
      await check("before a token is revoked");
      await page.getByRole("button", { name: "Revoke the token" }).click();
      await expect(page.getByTestId("tokens").getByRole("row", { name: /made here/ })).toContainText("revoked on");

      // A gate.
      await page.goto(gates);
      await page.getByRole("link", { name: "Set the gate" }).click();
      await expect(page.getByText("No rule is set")).toBeVisible();
      await page.getByLabel("Changed lines, at least %").fill("80");
      await page.getByRole("button", { name: "Preview" }).click();
      const preview = page.getByTestId("gate-preview");
      await expect(preview.getByRole("rowheader")).toHaveCount(20);
      await expect(preview.getByRole("rowheader").first()).toContainText("#21");
      await expect(page.getByText("Of the last 20: 10 failed, 10 passed, 0 unknown.")).toBeVisible();
      await check("the preview of a gate");
      await page.getByRole("button", { name: "Set for this repository" }).click();
      await expect(page.getByTestId("in-force").getByRole("row", { name: /changed/ })).toContainText("80");

      await page.goto(`${dashboard.url}/audit`);
      await hydrated(page);
      for (const [action, about] of [
        ["Gate set", "changed 80"],
        ["Token revoked", "made here"],
        ["Token created", "made here"],
        ["Record deleted", `record ${id}: fix/22`],
      ]) {
        const row = page.getByRole("row").filter({ hasText: action }).filter({ hasText: about });
        await expect(row, action).toHaveCount(1);
        await expect(row, action).toContainText("token ops");
      }
      await check("the audit log");
    });
  });
}
