// The page of all orgs: their lines, their table, its order, its files and its print.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { hydrated, sameDocument, sidewaysScroll } from "../fixtures/page";
import { textsOfSheets } from "../fixtures/pdf";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

/** Orgs with one repository in a group each; the later ones have more coverage. */
async function importOrgs(server: Server, count: number) {
  const orgs = Array.from({ length: count }, (_, n) => ({ org_name: `org-${String(n).padStart(2, "0")}/core`, repo_name: "service" }));
  await server.importHistory(orgs.flatMap((names, n) => [60, 20, 3].map((days) => ({ ...names, days, lines_covered: 20 + n + (days === 3 ? 5 : 0) }))));
}

const rows = (page: Page) => page.getByTestId("groups").locator("tr[data-keys]");
const legend = (page: Page) => page.getByTestId("trend").locator("figcaption");

test("all orgs are compared: a row for each, and a line for the largest", async ({ page, ownServer }) => {
  await importOrgs(ownServer, 12);
  await page.goto(ownServer.url);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Orgs" }).click();
  await expect(page).toHaveURL(`${ownServer.url}/orgs`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Orgs");
  await expect(rows(page)).toHaveCount(12);
  await expect(rows(page).first()).toContainText("org-00");
  await expect(page.getByTestId("groups").locator("tfoot tr")).toContainText("all orgs");
  await expect(page.getByTestId("how")).toContainText("The chart has the 7 largest of 12.");
  await expect(legend(page).getByRole("button")).toHaveCount(8);
  await hydrated(page);
  const stays = await sameDocument(page);

  const line = legend(page).getByRole("button").nth(1);
  await expect(line).toBeEnabled();
  await line.click();
  await expect(line).toHaveAttribute("aria-pressed", "false");

  await page.getByTestId("groups").getByRole("button", { name: "Coverage" }).click();
  await expect(rows(page).first()).toContainText("org-00");
  await page.getByTestId("groups").getByRole("button", { name: "Coverage" }).click();
  await expect(rows(page).first()).toContainText("org-11");
  await page.getByRole("link", { name: "30 d" }).click();
  await expect(page).toHaveURL(/range=30d/);
  await page.getByTestId("groups").getByRole("link", { name: "org-03" }).click();
  await expect(page).toHaveURL(/\/orgs\/org-03\?range=30d/);
  await expect(page.getByTestId("groups").getByRole("link", { name: "core" })).toBeVisible();
  await stays();
});

test("the comparison is downloaded and printed whole", async ({ page, ownServer }) => {
  await importOrgs(ownServer, 40);
  await page.goto(`${ownServer.url}/orgs?range=30d`);
  await hydrated(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Orgs as CSV" }).click()]);
  const text = readFileSync((await download.path())!, "utf8");
  expect(download.suggestedFilename()).toMatch(/^all-orgs_groups_/);
  expect(text.trimEnd().split("\r\n")).toHaveLength(41);
  const sheets = textsOfSheets(await page.pdf({ format: "A4" }));
  expect(sheets.length).toBeLessThan(4);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByTestId("groups").locator("tr[data-keys]:visible")).toHaveCount(40);
  await page.setViewportSize({ width: 700, height: 1000 });
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

for (const width of [360, 1280])
  test(`the page of all orgs violates no rule of axe at ${width} px`, async ({ page, ownServer }) => {
    await importOrgs(ownServer, 25);
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${ownServer.url}/orgs`);
    await hydrated(page);
    const line = legend(page).getByRole("button").nth(2);
    await expect(line).toBeEnabled();
    await line.click();
    expect(await violations(page, "all")).toEqual([]);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  });
