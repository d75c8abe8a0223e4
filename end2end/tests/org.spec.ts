// The page of an org: its choices are in the address, its tables can be downloaded, and it prints on two sheets.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { labels } from "../fixtures/chart";
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, sidewaysScroll } from "../fixtures/page";
import { textsOfSheets } from "../fixtures/pdf";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

/** Three repositories, one of them in a group. */
async function uploadOrg(server: Server): Promise<string> {
  const org = ownOrg("org");
  await uploadRecord(server, { org_name: org, repo_name: "a" }, "75.00");
  await uploadRecord(server, { org_name: org, repo_name: "b" }, "50.00");
  await uploadRecord(server, { org_name: `${org}/team`, repo_name: "c" }, "61.11");
  return org;
}

const numbers = (page: Page) => page.getByTestId("numbers");
const chosen = (page: Page, group: string) => page.getByRole("navigation", { name: group }).locator("[aria-current]");

test("mean and repositories switch without a reload, and Back undoes it", async ({ page, server }) => {
  const org = await uploadOrg(server);
  await page.goto(`/orgs/${org}`);
  await hydrated(page);
  const stays = await sameDocument(page);
  await page.getByText("More choices", { exact: true }).click();
  await expect(chosen(page, "Mean")).toHaveText("weighted by lines");
  await page.getByRole("link", { name: "plain average" }).click();
  await expect(page).toHaveURL(`/orgs/${org}?mean=plain`);
  await expect(numbers(page)).toContainText("62.04");
  await expect(page.getByTestId("how")).toContainText("each repository counts the same");
  await page.getByRole("link", { name: "all repositories", exact: true }).click();
  await expect(page).toHaveURL(`/orgs/${org}?mean=plain&over=all`);
  await expect(chosen(page, "Repositories that count")).toHaveText("all repositories");
  await page.goBack();
  await page.goBack();
  await expect(page.getByText("More choices", { exact: true })).toBeVisible();
  await expect(numbers(page)).not.toContainText("62.04");
  await stays();
});

test("presets and dates are in the address and replace each other", async ({ page, server }) => {
  const org = await uploadOrg(server);
  await page.goto(`/orgs/${org}?mean=plain`);
  await hydrated(page);
  for (const [label, word] of [["7 d", "7d"], ["30 d", "30d"], ["6 m", "6m"], ["12 m", "12m"], ["all", "all"]]) {
    await page.getByRole("navigation", { name: "Period" }).getByRole("link", { name: label, exact: true }).click();
    await expect(page).toHaveURL(`/orgs/${org}?range=${word}&mean=plain`);
    await expect(chosen(page, "Period")).toHaveText(label!);
  }
  await page.getByLabel("From").fill("2020-01-02");
  await page.getByRole("button", { name: "Apply dates" }).click();
  await expect(page).toHaveURL(/from=2020-01-02/);
  await expect(page).toHaveURL(/mean=plain/);
  await expect(chosen(page, "Period")).toHaveCount(0);
  await page.getByRole("link", { name: "3 m" }).click();
  await expect(page).toHaveURL(`/orgs/${org}?mean=plain`);
});

test("each table can be downloaded with the shown data", async ({ page, server }) => {
  const org = await uploadOrg(server);
  await page.goto(`/orgs/${org}?mean=plain&over=all`);
  await hydrated(page);
  const save = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
    return { name: download.suggestedFilename(), text: readFileSync((await download.path())!, "utf8") };
  };
  await page.getByText("How this is counted").click();
  const trend = await save("Trend as CSV");
  expect(trend.name).toMatch(new RegExp(`^${org}_trend_\\d{4}-\\d\\d-\\d\\d_\\d{4}-\\d\\d-\\d\\d\\.csv$`));
  expect(trend.text).toMatch(/^day,percentage,lines_covered,lines_total,repositories\r\n\d{4}-\d\d-\d\d,62\.04,\d+,\d+,3\r\n$/);
  const moved = await save("What moved as CSV");
  const rows = moved.text.trimEnd().split("\r\n").slice(1).map((row) => row.split(","));
  expect(rows.map(([, repo]) => repo).sort()).toEqual(["a", "b", "c"]);
});

test("the printed page has numbers, chart and tables, and no controls", async ({ page, server }) => {
  const org = await uploadOrg(server);
  await page.goto(`/orgs/${org}`);
  await hydrated(page);
  await page.emulateMedia({ media: "print" });
  for (const shown of [numbers(page), page.getByTestId("movements"), page.getByTestId("how"), page.locator("#trend-drawing")])
    await expect(shown).toBeVisible();
  await expect(page.getByText(/as of \d+ \w+ \d{4}, \d\d:\d\d UTC/)).toBeVisible();
  for (const hidden of [page.locator(".topbar"), page.getByLabel("From"), page.getByText("weighted by lines", { exact: true }).first(), page.getByRole("link", { name: "Trend as CSV" })])
    await expect(hidden).toBeHidden();
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.startsWith("%PDF-")).toBe(true);
  expect(pdf.match(/\/Type\s*\/Page\b/g)!.length).toBeGreaterThan(0);
});

test("the printed page has no empty sheet, one total and no heading broken inside a word", async ({ page, ownServer }) => {
  const sheets = async (address: string) => {
    await page.emulateMedia({ media: null });
    await page.goto(ownServer.url + address);
    await hydrated(page);
    return textsOfSheets(await page.pdf({ format: "A4" }));
  };
  // Enough repositories to make the table of changes longer than one sheet.
  const repositories = Array.from({ length: 60 }, (_, n) => ({ org_name: n % 3 ? "acme" : `acme/group-${n % 7}`, repo_name: `repository-${n}` }));
  const past = repositories.flatMap((names, n) => [100, 40, 3].map((days) => ({ ...names, days, lines_covered: 40 + ((n * days) % 50) })));
  await ownServer.importHistory(past);
  for (const address of ["/orgs/acme", "/orgs/acme?over=all&range=all"]) {
    const texts = await sheets(address);
    expect(texts.length, address).toBeGreaterThan(1);
    expect(texts.length, address).toBeLessThan(5);
    for (const [index, text] of texts.entries()) expect(text, `${address}, sheet ${index + 1} of ${texts.length}`).toBeGreaterThan(10);
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 700, height: 1000 });
    const foot = page.getByTestId("movements").locator("tfoot");
    await expect(foot).toHaveCSS("display", "table-row-group");
    const broken = await page.locator("thead th:visible, dt:visible").evaluateAll((all) => {
      const isBroken = (heading: Element) => {
        const text = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
        for (let node = text.nextNode(); node; node = text.nextNode())
          for (const { 0: word, index } of node.textContent!.matchAll(/\S+/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (new Set([...range.getClientRects()].map((box) => box.top)).size > 1) return true;
          }
        return false;
      };
      return all.filter(isBroken).map((heading) => heading.textContent);
    });
    expect(broken, address).toEqual([]);
    expect(await sidewaysScroll(page), address).toBeLessThanOrEqual(0);
  }
});

test("the report of a month has two sheets, however many repositories an org has", async ({ page, server }) => {
  const org = ownOrg("sheets");
  const repositories = Array.from({ length: 120 }, (_, n) => ({ org_name: `${org}/group-${n % 40}`, repo_name: `repository-${n}` }));
  await server.importHistory(
    repositories.flatMap((names, n) => (n % 10 ? [60, 20, 3] : [20, 3]).map((days) => ({ ...names, days, lines_covered: 40 + ((n * days) % 50) }))),
  );
  await page.goto(`/orgs/${org}?range=30d`);
  await hydrated(page);
  await expect(page.getByText("Not everything is printed").first()).toBeHidden();
  const sheets = textsOfSheets(await page.pdf({ format: "A4" }));
  expect(sheets.length).toBe(2);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByTestId("movements").locator("tr[data-keys]:visible")).toHaveCount(10 + 3);
  await expect(page.getByTestId("groups").locator("tr[data-keys]:visible")).toHaveCount(6);
  await expect(page.getByTestId("heat").locator("li:visible")).toHaveCount(20);
  await expect(page.getByText("Not everything is printed: the page has 120 repositories.").first()).toBeVisible();
  await expect(page.getByText("Not everything is printed: the page has 40 groups.")).toBeVisible();
});

test("the labels of the axes have one size at every width, and none covers another, also on paper", async ({ page, server }) => {
  const org = ownOrg("axes");
  await server.importHistory(Array.from({ length: 60 }, (_, n) => ({ org_name: org, repo_name: `r${n % 3}`, lines_covered: 30 + ((n * 7) % 60), days: 170 - 2.8 * n })));
  await page.goto(`/orgs/${org}?range=12m`);
  // The picture on paper is the one of the window, made smaller; so its labels are larger.
  const windows = [[360, "screen", 18], [600, "screen", 18], [768, "screen", 18], [1440, "screen", 18], [1440, "print", 24]] as const;
  for (const [width, media, most] of windows) {
    await page.setViewportSize({ width, height: 1000 });
    await page.emulateMedia({ media });
    const shown = `${width} px, ${media}`;
    await expect(async () => {
      const { heights, faults } = await labels(page);
      expect(faults, shown).toEqual([]);
      expect(heights.length, shown).toBeGreaterThan(0);
      expect(Math.min(...heights), shown).toBeGreaterThanOrEqual(11);
      expect(Math.max(...heights), shown).toBeLessThanOrEqual(most);
    }, "the chart is drawn again for the width").toPass({ timeout: 10_000 });
  }
});

test("the printed page is light, even in the dark theme", async ({ page, server }) => {
  const org = await uploadOrg(server);
  await page.goto(`/orgs/${org}`);
  await hydrated(page);
  await page.evaluate(() => document.documentElement.setAttribute("data-theme", "dark"));
  const ink = () => page.getByRole("heading", { level: 1 }).evaluate((heading) => getComputedStyle(heading).color);
  const onScreen = await ink();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const onPaper = await ink();
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.evaluate(() => document.documentElement.removeAttribute("data-theme"));
  expect(onPaper).not.toBe(onScreen);
  expect(onPaper, "as in the light theme").toBe(await ink());
});

test("Tab reaches a visible cell of the heat map, which opens its repository", async ({ page, server }) => {
  const org = ownOrg("org");
  const names = Array.from({ length: 10 }, (_, n) => ({ org_name: org, repo_name: `r${n}` }));
  await server.importHistory(names.flatMap((name) => [9, 1].map((days) => ({ ...name, days, lines_covered: 40 + days }))));
  await page.goto(`/orgs/${org}`);
  await hydrated(page);
  const cell = page.getByTestId("heat").getByRole("link").first();
  await expect(page.getByTestId("heat").getByRole("link")).toHaveCount(10);
  await page.getByTestId("movements").getByRole("link").last().focus();
  await page.keyboard.press("Tab");
  await expect(cell).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/repos\/org-/);
});

test("the heat map shows different labels for repositories of the same name in several groups", async ({ page, server }) => {
  const org = ownOrg("same");
  for (const group of ["", "/web", "/web/inner", `/${"g".repeat(60)}`])
    await uploadRecord(server, { org_name: `${org}${group}`, repo_name: "shop" }, "75.00", {});
  // The map is there from ten repositories on.
  await server.importHistory(Array.from({ length: 6 }, (_, n) => ({ org_name: org, repo_name: `other-${n}`, days: 1, lines_covered: 50 })));
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/orgs/${org}?over=all`);
    await hydrated(page);
    const names = page.getByTestId("heat").locator("bdi", { hasText: "shop" });
    await expect(names).toHaveCount(4);
    const seen = await names.evaluateAll((all) => all.map((name) => (name as HTMLElement).innerText.replace(/\s/g, "")));
    expect(seen.sort()).toEqual(["shop", "web/shop", "web/inner/shop", `${"g".repeat(60)}/shop`].sort());
    const sizes = await names.locator("span").evaluateAll((all) => all.map((group) => Math.min(group.clientWidth, group.clientHeight)));
    expect(sizes).toHaveLength(3);
    expect(Math.min(...sizes), "the smallest label of a group, in pixels").toBeGreaterThan(10);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  }
});

test("a group has its own page, which links to its parent", async ({ page, server }) => {
  const org = await uploadOrg(server);
  await page.goto(`/orgs/${org}?mean=plain`);
  await hydrated(page);
  await page.getByTestId("groups").getByRole("link", { name: "team" }).click();
  await expect(page).toHaveURL(`/orgs/${org}/team?mean=plain`);
  await expect(numbers(page)).toContainText("61.11");
  await page.getByRole("navigation", { name: "Where you are" }).getByRole("link", { name: org }).click();
  await expect(page).toHaveURL(`/orgs/${org}`);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("switches are links and dates are a form", async ({ page, server }) => {
    const org = await uploadOrg(server);
    await page.goto(`/orgs/${org}`);
    await page.getByText("More choices").click();
    await page.getByRole("link", { name: "plain average" }).click();
    await expect(numbers(page)).toContainText("62.04");
    await page.getByLabel("From").fill("2020-01-02");
    await page.getByRole("button", { name: "Apply dates" }).click();
    await expect(page).toHaveURL(/mean=plain&from=2020-01-02/);
    await expect(numbers(page)).toContainText("62.04");
  });
});

test("names of any length fit and violate no rule of WCAG 2.2 AA", async ({ page, server }) => {
  const org = `${ownOrg("long")}/${"g".repeat(200)}`;
  await uploadRecord(server, { org_name: org, repo_name: "r".repeat(255) });
  await uploadRecord(server, { org_name: `${org}/${"h".repeat(20)}`, repo_name: "x", language: "l".repeat(32) });
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/orgs/${org}?over=all`);
    await hydrated(page);
    expect.soft(await sidewaysScroll(page), `wider than ${width} px`).toBeLessThanOrEqual(0);
    expect.soft(await violations(page)).toEqual([]);
  }
});

test.describe("unknown", () => {
  test.use({ expectedConsole: /status of 404/ });

  test("an org without records is not found, and its page links onwards", async ({ page }) => {
    await page.goto(`/orgs/${ownOrg("none")}`);
    await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("link").first()).toBeVisible();
  });
});
