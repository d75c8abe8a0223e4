// Folders, owners and views: tables that lead from the whole repository to the trend of a few files.
import { violations } from "../fixtures/axe";
import { chartReady } from "../fixtures/chart";
import { ownOrg } from "../fixtures/data";
import { hydrated, sidewaysScroll } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";
import { upload } from "../fixtures/upload";

const OWNERS = "* @acme/all\n/src/pay/ @acme/payments\n";
const SETTINGS = '[views]\napi = ["src/**"]\n';

/** Uploads a record with files in three folders. */
async function uploadFolders(server: Server, org: string, commit: string, hits: string): Promise<void> {
  const files = { "src/pay/fee.c": hits, "src/ui/view.c": "1100", "main.c": "1" };
  const lines = (hits: string) => [...hits].map((hit, line) => `DA:${line + 1},${hit}\n`).join("");
  const lcov = Object.entries(files).map(([path, hits]) => `SF:${path}\n${lines(hits)}end_of_record\n`);
  const parameters = {
    org_name: org,
    repo_name: "parking",
    branch_name: "main",
    commit_hash: commit,
    commit_author: "Kim",
    language: "c",
    coverage_xml_file_name: "lcov.info",
  };
  const fields = { owners: OWNERS, settings: SETTINGS };
  const { status, body } = await upload(server, parameters, { "lcov.info": lcov.join("") }, fields);
  expect(status, body.detail).toBe(201);
}

test("a folder leads to its folders, and its trend to the chart of its files", async ({ page, server }) => {
  const org = ownOrg("views");
  await uploadFolders(server, org, "c1", "1111");
  await uploadFolders(server, org, "c2", "1000");
  await page.goto(`/repos/${org}/parking`);
  await page.getByRole("link", { name: "Folders and owners", exact: true }).click();
  await hydrated(page);
  const table = page.getByTestId("views");
  await expect(table.locator("tbody tr")).toHaveCount(2);
  await table.getByRole("link", { name: "src/", exact: true }).click();
  await expect(page).toHaveURL(/under=src/);
  await expect(table.locator("tbody tr").first(), "the most missed lines").toContainText("pay/25.00");
  await table.getByRole("button", { name: "Missed lines" }).click();
  await expect(table.locator("tbody tr").first()).toContainText("ui/");
  expect.soft(await violations(page), "the folders of a folder").toEqual([]);
  await table.getByRole("link", { name: "Trend of pay/" }).click();
  await chartReady(page);
  await expect(page.getByTestId("view")).toContainText("folder:src/pay");
  await page.getByRole("link", { name: "New code" }).click();
  await expect(page).toHaveURL(/metric=new/);
  await expect(page.getByTestId("view")).toContainText("folder:src/pay");
});

test("an owner leads to the record, and the record to a file of the owner", async ({ page, server }) => {
  const org = ownOrg("viewed");
  await uploadFolders(server, org, "c1", "1111");
  await uploadFolders(server, org, "c2", "1000");
  await page.goto(`/views?repo=${org}/parking&kind=owner`);
  await hydrated(page);
  await page.getByTestId("views").getByRole("link", { name: "1 file of @acme/payments" }).click();
  await expect(page.getByTestId("view")).toContainText("owner:@acme/payments");
  await expect(page.getByTestId("headline")).toContainText("25.00");
  await expect(page.getByTestId("headline")).toContainText("The whole record: ");
  await expect(page.getByTestId("files").locator("tbody tr")).toHaveCount(1);
  expect.soft(await violations(page), "the record of an owner").toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  expect.soft(await sidewaysScroll(page), "the record of an owner").toEqual(0);
  await page.getByRole("link", { name: "Compare…" }).click();
  await expect(page.getByTestId("view")).toContainText("owner:@acme/payments");
  await expect(page.getByTestId("headline")).toContainText("75.00");
  expect.soft(await violations(page), "the comparison of an owner").toEqual([]);
  await page.goBack();
  await page.getByTestId("files").getByRole("link", { name: "fee.c" }).click();
  await expect(page).toHaveURL(/source\?path=src%2Fpay%2Ffee\.c/);
  await page.goBack();
  await page.getByRole("link", { name: /^Count all files/ }).click();
  await expect(page.getByTestId("view")).toHaveCount(0);
});

test("an org leads to its owners, and an owner to its repositories", async ({ page, server }) => {
  const org = ownOrg("owners");
  await uploadFolders(server, org, "c1", "1000");
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`/orgs/${org}`);
  await page.getByRole("main").getByRole("link", { name: "Owners" }).click();
  await hydrated(page);
  const table = page.getByTestId("owners");
  await expect(table.locator("tbody tr")).toHaveCount(2);
  expect.soft(await violations(page), "owners").toEqual([]);
  expect.soft(await sidewaysScroll(page), "owners").toEqual(0);
  await table.getByRole("link", { name: "@acme/payments" }).click();
  await expect(table.locator("tbody tr").first()).toContainText("25.00");
  await table.getByRole("link", { name: `${org}/parking` }).click();
  await expect(page.getByTestId("view")).toContainText("owner:@acme/payments");
});
