// Tables are sorted by their headings and filtered without a request; without scripts, the headings are links.
import type { Locator, Page } from "@playwright/test";
import { ownOrg } from "../fixtures/data";
import { hydrated, sameDocument } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

/** A repository with branches of these coverages. The main branch is the oldest, so it is the base of the others. */
async function openBranches(page: Page, server: Server, branches: Record<string, number>): Promise<string> {
  const org = ownOrg("sorted");
  const record = { org_name: org, repo_name: "parking" };
  await server.importHistory(
    Object.entries(branches).map(([branch_name, lines_covered], days) => ({
      ...record,
      branch_name,
      lines_covered,
      days: branch_name === "main" ? 30 : days,
    })),
  );
  const address = `/repos/${org}/parking?tab=branches`;
  await page.goto(address);
  return address;
}

const table = (page: Page) => page.getByRole("table", { name: "Branches" });
const names = (table: Locator) => table.locator("tbody th .name");

test("a heading sorts the branches in both directions without a request, and Back undoes it", async ({ page, server }) => {
  const address = await openBranches(page, server, { main: 80, low: 20, high: 95, Middle: 50 });
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  const requests: string[] = [];
  // The browser requests the icon again after each change of the address.
  page.on("request", (request) => request.url().endsWith("favicon.svg") || requests.push(request.url()));
  const branches = table(page);
  await expect(names(branches)).toHaveText(["main", "low", "high", "Middle"]);

  await branches.getByRole("button", { name: "Coverage" }).click();
  await expect(names(branches)).toHaveText(["low", "Middle", "main", "high"]);
  await expect(branches.getByRole("columnheader", { name: "Coverage" })).toHaveAttribute("aria-sort", "ascending");
  await expect(page.locator("#announcement")).toHaveText("Sorted by Coverage, ascending.");
  await expect(page).toHaveURL(`${address}&branches=coverage`);

  await branches.getByRole("button", { name: "Coverage" }).press("Enter");
  await expect(names(branches)).toHaveText(["high", "main", "Middle", "low"]);
  await expect(branches.locator("[aria-sort]")).toHaveAttribute("aria-sort", "descending");

  await branches.getByRole("button", { name: "Branch" }).press(" ");
  await expect(names(branches)).toHaveText(["high", "low", "main", "Middle"]);
  await expect(branches.locator("[aria-sort]")).toHaveText("Branch");

  // A branch without a value to compare is last in both directions.
  for (let direction = 0; direction < 2; direction++) {
    await branches.getByRole("button", { name: "Against base" }).click();
    await expect(names(branches).last()).toHaveText("main");
  }
  expect(requests).toEqual([]);

  for (const expected of [["low", "Middle", "high", "main"], ["high", "low", "main", "Middle"]]) {
    await page.goBack();
    await expect(names(branches)).toHaveText(expected);
  }
  await stillTheSame();
  await page.reload();
  await expect(names(branches), "the address has the order").toHaveText(["high", "low", "main", "Middle"]);
});

test("many rows are filtered while typing, and sorting keeps the filter", async ({ page, server }) => {
  const many = Object.fromEntries(Array.from({ length: 24 }, (_, n) => [`feature/${n < 12 ? "core" : "web"}-${n}`, 30 + n]));
  await openBranches(page, server, { main: 80, ...many });
  await hydrated(page);
  const branches = table(page);
  const shown = branches.locator("tbody tr:visible");
  await expect(shown).toHaveCount(25);
  const filter = page.getByRole("searchbox", { name: "Filter branches" });
  await filter.fill("CORE feature");
  await expect(shown).toHaveCount(12);
  await expect(page.getByText("12 of 25 rows")).toBeVisible();
  await branches.getByRole("button", { name: "Coverage" }).click();
  await expect(shown).toHaveCount(12);
  await expect(names(branches).filter({ visible: true }).first()).toHaveText("feature/core-0");
  await filter.fill("");
  await expect(shown).toHaveCount(25);
});

test("an org's groups and what moved are sorted on their own, and keep the total last", async ({ page, server }) => {
  const org = ownOrg("two-tables");
  const records = ["a", "b", "c"].flatMap((repo_name, n) =>
    [40, 1].map((days) => ({ org_name: `${org}/team-${repo_name}`, repo_name, days, lines_covered: 50 + n * 10 + (days === 1 ? 3 - n : 0) })),
  );
  await server.importHistory(records);
  await page.goto(`/orgs/${org}`);
  await hydrated(page);
  const [groups, moved] = [page.getByTestId("groups"), page.getByTestId("movements")];
  await groups.getByRole("button", { name: "Coverage" }).click();
  await expect(groups.locator("tbody th")).toHaveText(["team-a", "team-b", "team-c"]);
  await moved.getByRole("button", { name: "End" }).click();
  await moved.getByRole("button", { name: "End" }).click();
  await expect(moved.locator("tbody th .name").first()).toContainText("team-c");
  await expect(page).toHaveURL(/[?&]groups=coverage&moved=-end$/);
  await expect(groups.locator("tbody th")).toHaveText(["team-a", "team-b", "team-c"]);
  await page.reload();
  await expect(moved.locator("tbody th .name").first()).toContainText("team-c");
  await expect(moved.locator("tfoot th")).toHaveText("Total");
});

test("a history of several pages finds its lowest record and its biggest drop", async ({ page, server }) => {
  const org = ownOrg("long");
  await server.importHistory(
    Array.from({ length: 70 }, (_, n) => ({ org_name: org, repo_name: "parking", lines_covered: n === 30 ? 20 : n === 60 ? 50 : 80, days: 70 - n })),
  );
  await page.goto(`/repos/${org}/parking?tab=history`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  const history = page.getByRole("table", { name: "History" });
  await expect(history.locator("[aria-sort]")).toHaveText("Uploaded");
  const tabs = await page.locator(".tabs").elementHandle();
  const requests: string[] = [];
  page.on("request", (request) => request.resourceType() === "fetch" && !request.url().includes(".wasm") && requests.push(new URL(request.url()).pathname));
  await history.getByRole("button", { name: "Coverage" }).click();
  await expect(history.locator("tbody tr").first()).toContainText("20.00");
  await expect(page).toHaveURL(/[?&]history=coverage$/);
  await expect(page.locator("#announcement")).toHaveText("Sorted by Coverage, ascending.");
  expect(requests).toEqual([`/repos/${org}/parking`]);
  await expect(history.locator("tbody tr")).toHaveCount(50);
  await expect(page.getByRole("region", { name: "History" }).getByRole("status")).toContainText("the first 50 by coverage, lowest first");
  await expect(history.getByRole("button", { name: "Coverage" }), "the keyboard stays at the heading").toBeFocused();
  expect(await tabs!.evaluate((part) => part.isConnected), "only the card of the table is replaced").toBe(true);
  await history.getByRole("button", { name: "Change" }).click();
  // The first row is the same in both orders.
  await expect(page).toHaveURL(/[?&]history=change/);
  await expect(history.locator("tbody tr").first()).toContainText("−60.00");
  await history.getByRole("button", { name: "Change" }).click();
  await expect(history.locator("tbody tr").first()).toContainText("+60.00");
  await expect(page).toHaveURL(/[?&]history=-change/);
  await page.goBack();
  await expect(history.locator("tbody tr").first()).toContainText("60.00");
  await page.getByRole("link", { name: "Newest" }).click();
  await expect(history.locator("[aria-sort]")).toHaveText("Uploaded");
  await stillTheSame();
  expect(await tabs!.evaluate((part) => part.isConnected), "the links of the pager replace the page").toBe(false);
});

/** A repository with 60 branches besides the main one; `feature-1` has the lowest coverage, `Feature-60` the highest. */
async function openManyBranches(page: Page, server: Server): Promise<string> {
  const org = ownOrg("many");
  const branches = Array.from({ length: 60 }, (_, n) => ({
    org_name: org, repo_name: "parking", branch_name: `${n % 2 ? "Feature" : "feature"}-${n + 1}`, lines_covered: 20 + n, days: n,
  }));
  await server.importHistory([{ org_name: org, repo_name: "parking", lines_covered: 50, days: 90 }, ...branches]);
  const address = `/repos/${org}/parking?tab=branches`;
  await page.goto(address);
  return address;
}

test("branches of several pages are sorted over all pages with one request, by mouse and by keyboard", async ({ page, server }) => {
  const address = await openManyBranches(page, server);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  const branches = table(page);
  await expect(branches.locator("tbody tr")).toHaveCount(50);
  await expect(names(branches).first()).toHaveText("main");
  const requests: string[] = [];
  page.on("request", (request) => request.resourceType() === "fetch" && !request.url().includes(".wasm") && requests.push(new URL(request.url()).pathname));

  await branches.getByRole("button", { name: "Coverage" }).click();
  await expect(names(branches).first()).toHaveText("feature-1");
  await expect(branches.locator("[aria-sort]")).toHaveAttribute("aria-sort", "ascending");
  await expect(page.locator("#announcement")).toHaveText("Sorted by Coverage, ascending.");
  await expect(page).toHaveURL(`${address}&branches=coverage`);
  expect(requests).toEqual([address.split("?")[0]]);
  await expect(branches.getByRole("button", { name: "Coverage" }), "the keyboard stays at the heading").toBeFocused();

  await page.keyboard.press("Enter");
  await expect(names(branches).first()).toHaveText("Feature-60");
  await expect(branches.locator("[aria-sort]")).toHaveAttribute("aria-sort", "descending");
  await branches.getByRole("button", { name: "Against base" }).press(" ");
  await expect(names(branches).first()).toHaveText("feature-1");
  await expect(page).toHaveURL(`${address}&branches=change`);
  expect(requests).toHaveLength(3);

  await page.getByRole("navigation", { name: "Pages of branches" }).getByRole("link", { name: "Next" }).click();
  await expect(names(branches)).toHaveCount(11);
  await expect(names(branches).last(), "the main branch has no base").toHaveText("main");
  await expect(page).toHaveURL(`${address}&branches=change&p=2`);
  await branches.getByRole("button", { name: "Branch" }).click();
  await expect(names(branches).first(), "another order begins with its first page").toHaveText("feature-1");
  await expect(page).toHaveURL(`${address}&branches=name`);
  await page.goBack();
  await expect(names(branches).last()).toHaveText("main");

  await page.getByRole("searchbox", { name: "Filter branches" }).fill("feature-2");
  await expect(branches.locator("tbody tr")).toHaveCount(11);
  await expect(page).toHaveURL(/[?&]keyword=feature-2/);
  await stillTheSame();
});

test("a long table is sorted where it is seen first, and then as a whole", async ({ page, server }) => {
  const org = ownOrg("long-table");
  await server.importHistory(
    Array.from({ length: 120 }, (_, n) => ({ org_name: `${org}/team-${n}`, repo_name: "parking", lines_covered: (n * 37) % 100, days: 1 })),
  );
  await page.goto(`/orgs/${org}`);
  await hydrated(page);
  const groups = page.getByTestId("groups");
  const coverages = async () =>
    (await groups.locator("tbody tr:not([hidden]) .c-cov").allTextContents()).map((text) => Number.parseFloat(text));
  const sorted = (values: number[], sign: number) => [...values].sort((a, b) => sign * (a - b));
  for (const [presses, sign] of [[1, 1], [1, -1], [2, -1], [3, 1]] as const) {
    // Also sorted again before the rows below have moved.
    await groups.locator("a[data-order]").nth(1).evaluate((heading: HTMLElement, presses) => {
      for (let press = 0; press < presses; press++) heading.click();
    }, presses);
    await expect(groups.locator("[aria-sort]")).toHaveAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    await expect(async () => {
      const shown = await coverages();
      expect(shown).toEqual(sorted(shown, sign));
    }).toPass();
  }
});
