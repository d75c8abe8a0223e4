// What HTML reports use: real uploads, sorted without a request, on a phone, and without scripts.
import type { Page } from "@playwright/test";
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, sidewaysScroll } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { startServer } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

/** Two repositories: `acme/parking` has one large report, and `acme/billing` two small ones. */
async function uploadReports(server: Server) {
  const text = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join("");
  await uploadRecord(server, { repo_name: "parking" }, "75.00", { "index.html": `<p>${text}` });
  await uploadRecord(server, { repo_name: "billing", commit_hash: "c1" });
  return uploadRecord(server, { repo_name: "billing", commit_hash: "c2" });
}

const table = (page: Page) => page.getByRole("table", { name: "By repository" });
const names = (page: Page) => table(page).locator("tbody th .name");

test("repositories are sorted by their headings without a request", async ({ page, ownServer }) => {
  await uploadReports(ownServer);
  await page.goto(`${ownServer.url}/uploads`);
  await page.getByRole("link", { name: "Storage" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Storage");
  await hydrated(page);
  const stays = await sameDocument(page);
  await expect(names(page)).toHaveText(["acme/parking", "acme/billing"]);
  await expect(table(page).getByRole("columnheader", { name: "Size" })).toHaveAttribute("aria-sort", "descending");
  const requests: string[] = [];
  page.on("request", (request) => request.url().endsWith("favicon.svg") || requests.push(request.url()));
  await table(page).getByRole("button", { name: "Reports" }).click();
  await expect(names(page)).toHaveText(["acme/billing", "acme/parking"]);
  await expect(page).toHaveURL(`${ownServer.url}/storage?repositories=-reports`);
  await table(page).getByRole("button", { name: "Size" }).click();
  await expect(names(page)).toHaveText(["acme/parking", "acme/billing"]);
  expect(requests).toEqual([]);
  await names(page).last().click();
  await expect(page).toHaveURL(`${ownServer.url}/repos/acme/billing`);
  await stays();
});

test("over 200 repositories are sorted by their headings with one request", async ({ page, ownServer }) => {
  test.slow();
  const report = { "index.html": "<p>small" };
  for (let first = 0; first < 205; first += 10)
    await Promise.all(
      Array.from({ length: Math.min(10, 205 - first) }, (_, n) =>
        uploadRecord(ownServer, { org_name: "many", repo_name: `repo-${String(first + n).padStart(3, "0")}` }, "50.00", report),
      ),
    );
  await page.goto(`${ownServer.url}/storage`);
  await hydrated(page);
  const stays = await sameDocument(page);
  const requests: string[] = [];
  page.on("request", (request) => request.resourceType() === "fetch" && !request.url().includes(".wasm") && requests.push(new URL(request.url()).pathname));
  await table(page).getByRole("button", { name: "Repository" }).click();
  await expect(names(page).first()).toHaveText("many/repo-000");
  await expect(page).toHaveURL(`${ownServer.url}/storage?repositories=name`);
  await table(page).getByRole("button", { name: "Repository" }).press("Enter");
  await expect(names(page).first()).toHaveText("many/repo-204");
  await expect(names(page)).toHaveCount(200);
  await expect(table(page).locator("[aria-sort]")).toHaveAttribute("aria-sort", "descending");
  await expect(page.locator("#announcement")).toHaveText("Sorted by Repository, descending.");
  await expect(page.getByRole("region", { name: "By repository" })).toContainText("5 more repositories have 5 reports");
  expect(requests).toEqual(["/storage", "/storage"]);
  await stays();
});

test("ages, the next prune and the forecast are stated", async ({ page }) => {
  const server = await startServer({ "--keep-reports-days": "30", "--prune-at": "03:00" });
  await uploadReports(server);
  await page.goto(`${server.url}/storage`);
  await expect(page.getByRole("table", { name: "By age" }).getByRole("row")).toHaveCount(6);
  await expect(page.getByRole("table", { name: "By age" }).getByRole("row").nth(1)).toContainText(/Under 1 week.*100\.0.*3/);
  const prune = page.getByRole("region", { name: "Retention" });
  await expect(prune).toContainText("03:00 UTC. By then the rules remove 0 of 3 reports, 0 bytes.");
  await expect(prune.getByRole("row", { name: "KEEP_REPORTS_DAYS" })).toContainText("30 days");
  await expect(prune).toContainText("A forecast needs a week of uploads");
  await page.goto("about:blank");
  await server.stop();
});

test("a phone shows every number with its heading", async ({ page, ownServer }) => {
  await uploadReports(ownServer);
  await uploadRecord(ownServer, { org_name: `${ownOrg("wide")}/${"g".repeat(200)}`, repo_name: "r".repeat(255) });
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${ownServer.url}/storage`);
    await hydrated(page);
    expect(await sidewaysScroll(page), `at ${width} px`).toBeLessThanOrEqual(0);
    const cell = table(page).locator("tbody tr").first().locator("td").first();
    await expect(cell).toBeVisible();
    expect(await cell.evaluate((cell) => getComputedStyle(cell, "::before").content)).toContain("Size");
  }
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the headings of the repositories are links", async ({ page, ownServer }) => {
    await uploadReports(ownServer);
    await page.goto(`${ownServer.url}/storage`);
    await table(page).getByRole("link", { name: "Reports" }).click();
    await expect(page).toHaveURL(/repositories=-reports#repositories$/);
    await expect(names(page)).toHaveText(["acme/billing", "acme/parking"]);
    await page.getByRole("link", { name: "acme/parking" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("parking");
  });
});
