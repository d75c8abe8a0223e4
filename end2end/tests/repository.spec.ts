// The page of a repository: its branch is in the address, and no name breaks its layout.
import type { Page } from "@playwright/test";
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, searchBox, sidewaysScroll } from "../fixtures/page";
import { textsOfSheets } from "../fixtures/pdf";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

test("choosing a branch changes address, headline, chart and marked row; Back undoes it", async ({ page, server }) => {
  const org = ownOrg("branches");
  const branch_name = 'fix/ü & "x"#?';
  await uploadRecord(server, { org_name: org }, "75.00");
  await uploadRecord(server, { org_name: org, branch_name }, "50.00");
  const headline = page.getByTestId("headline");
  const legend = page.getByTestId("trend").locator("figcaption bdi");
  const chosen = page.locator("tr[aria-current]").getByRole("rowheader");

  await page.goto(`/repos/${org}/parking`);
  await hydrated(page);
  await expect(headline).toContainText("75.00");
  await expect(legend).toHaveText(["main · python"]);
  const stillTheSame = await sameDocument(page);

  await page.getByRole("link", { name: branch_name, exact: true }).click();
  await expect(headline).toContainText("50.00");
  await expect(page).toHaveURL(`/repos/${org}/parking?branch=${encodeURIComponent(branch_name)}`);
  await expect(legend).toHaveText([`${branch_name} · python`, "main · python"]);
  await expect(page.getByTestId("trend").locator("svg:visible .mark")).toHaveCount(2);
  await expect(chosen).toContainText(branch_name);

  await page.goBack();
  await expect(headline).toContainText("75.00");
  await expect(legend).toHaveText(["main · python"]);
  await expect(chosen).toContainText("main");
  await stillTheSame();
});

/** Records of one branch, with commits `NAME-00` and so on, the newest last. */
async function uploadHistory(server: Server, org: string, name: string, count: number) {
  for (let n = 0; n < count; n++)
    await uploadRecord(server, { org_name: org, commit_hash: `${name}-${String(n).padStart(2, "0")}` }, n % 2 ? "75.00" : "50.00", {});
}

test("two branches are compared in chart, table and address, and each can be removed", async ({ page, server }) => {
  const org = ownOrg("compare");
  const other = "release/2026.11 🚀";
  await uploadRecord(server, { org_name: org }, "75.00", {});
  await uploadRecord(server, { org_name: org, branch_name: "feature/x" }, "50.00", {});
  await uploadRecord(server, { org_name: org, branch_name: other }, "61.11", {});
  const legend = page.getByTestId("trend").locator("figcaption bdi");
  const compared = page.getByTestId("compared");

  await page.goto(`/repos/${org}/parking`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  await page.getByTestId("chooser").getByRole("combobox").selectOption("feature/x");
  await expect(legend).toHaveText(["feature/x · python", "main · python"]);
  await expect(page.getByTestId("headline")).toContainText("−25.00 against main");

  await compared.getByLabel("Compare with the branch").selectOption(other);
  await expect(legend).toHaveText(["feature/x · python", "main · python", `${other} · python`]);
  await expect(page.getByText("The axis goes from")).toBeVisible();
  await compared.getByRole("link", { name: "Remove main from the chart" }).click();
  await expect(legend).toHaveText(["feature/x · python", `${other} · python`]);
  await page.getByText("Show as table").click();
  const table = page.getByTestId("trend").getByRole("table");
  await expect(table.getByRole("row")).toHaveCount(3);
  await expect(table).toContainText("61.11");

  await page.getByRole("link", { name: "all time" }).click();
  await expect(page).toHaveURL(/range=all/);
  await expect(legend, "the comparison stays").toHaveText(["feature/x · python", `${other} · python`]);
  await compared.getByRole("link", { name: `Remove ${other} from the chart` }).click();
  await expect(legend).toHaveText(["feature/x · python"]);
  await page.reload();
  await expect(legend, "the address has the selection").toHaveText(["feature/x · python"]);
  expect(await stillTheSame().then(() => false, () => true), "only the reload replaced the document").toBe(true);
});

test("the history pages from the newest record to the first and back", async ({ page, server }) => {
  const org = ownOrg("history");
  await uploadHistory(server, org, "commit", 52);
  const history = page.getByRole("region", { name: "History" });
  const rows = history.getByRole("rowheader");

  await page.goto(`/repos/${org}/parking`);
  await hydrated(page);
  await expect(rows).toHaveCount(50);
  await expect(history).toContainText("52 records");
  await expect(history.getByRole("link", { name: "← Newer" })).toBeHidden();
  await history.getByRole("link", { name: "Older →" }).click();
  await expect(rows).toHaveCount(2);
  await expect(history.locator("[title=commit-00]")).toBeVisible();
  await expect(history.getByRole("link", { name: "Older →" })).toBeHidden();
  await history.getByRole("link", { name: "← Newer" }).click();
  await expect(rows).toHaveCount(50);
  await expect(history.locator("[title=commit-51]")).toBeVisible();
  await expect(history.locator("[title=commit-51]")).toHaveAttribute("href", /^\/records\/\d+$/);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("branch, comparison and filter are forms with a button", async ({ page, server }) => {
    const org = ownOrg("forms");
    await uploadRecord(server, { org_name: org }, "75.00", {});
    await uploadRecord(server, { org_name: org, branch_name: "dev" }, "50.00", {});
    await uploadRecord(server, { org_name: org, branch_name: "c++ & more" }, "61.11", {});
    const legend = page.getByTestId("trend").locator("figcaption bdi");
    await page.goto(`/repos/${org}/parking`);
    await page.getByTestId("chooser").getByRole("combobox").selectOption("dev");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await expect(page.getByTestId("headline")).toContainText("50.00");
    await expect(legend).toHaveText(["dev · python", "main · python"]);
    await page.getByLabel("Compare with the branch").selectOption("c++ & more");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await expect(legend).toHaveText(["dev · python", "main · python", "c++ & more · python"]);
    await page.getByRole("link", { name: "Remove main from the chart" }).click();
    await page.getByRole("link", { name: "Remove c++ & more from the chart" }).click();
    await expect(legend).toHaveText(["dev · python"]);
    await expect(page.getByRole("button", { name: "Copy Markdown" })).toBeHidden();
  });
});

/** The drawing on the screen, and its points. */
const drawing = (page: Page) => page.getByTestId("trend").locator(".drawing:visible");
const points = (page: Page) => drawing(page).locator(".mark");

test.describe("the points of the chart", () => {
  test("the chart is one Tab stop, without a link for each point", async ({ page, server }) => {
    const org = ownOrg("one-thing");
    await uploadHistory(server, org, "one", 12);
    await uploadRecord(server, { org_name: org, branch_name: "dev" }, "61.11", {});
    await page.goto(`/repos/${org}/parking?compare=dev`);
    await hydrated(page);
    const trend = page.getByTestId("trend");
    await expect(points(page)).toHaveCount(13);
    await expect(trend.getByRole("link")).toHaveCount(0);
    const chart = trend.getByRole("application");
    await expect(chart).toHaveAccessibleName(/^Trend of line coverage\. main · python: 75\.00 % on .+; dev · python: 61\.11 % on /);
    await expect(chart).toHaveAccessibleDescription(/Arrow keys, Page Up, Page Down, Home and End/);
    await page.getByRole("navigation", { name: "Time" }).getByRole("link").last().focus();
    await page.keyboard.press("Tab");
    await expect(chart).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(trend.getByText("Show as table")).toBeFocused();
    await expect(page.locator(".chart .tip")).toBeHidden();
  });

  test("keys move through the points, each is shown and announced, and Enter opens its record", async ({ page, server }) => {
    const org = ownOrg("keys");
    await uploadHistory(server, org, "walk", 12);
    await uploadRecord(server, { org_name: org, branch_name: "dev", commit_hash: "dev" }, "61.11", {});
    const address = `/repos/${org}/parking?compare=dev`;
    await page.goto(address);
    await hydrated(page);
    const stillTheSame = await sameDocument(page);
    const tip = page.locator(".chart .tip");
    const announcement = page.locator("#announcement");
    await drawing(page).focus();
    await expect(tip, "the newest point is first").toContainText("commit walk-11");
    await expect(announcement).toHaveText(/^75\.00.%, main · python, .+ UTC, commit walk-11/);
    for (const [key, commit] of [
      ["ArrowLeft", "walk-10"],
      ["ArrowLeft", "walk-09"],
      ["ArrowRight", "walk-10"],
      ["PageUp", "walk-00"],
      ["PageUp", "walk-00"],
      ["ArrowRight", "walk-01"],
      ["PageDown", "walk-11"],
      ["ArrowRight", "walk-11"],
      ["ArrowDown", "dev"],
      ["Home", "dev"],
      // In the drawing all of them have the same time.
      ["ArrowUp", "walk-"],
      ["Home", "walk-00"],
      ["End", "walk-11"],
      ["ArrowLeft", "walk-10"],
    ]) {
      await page.keyboard.press(key!);
      await expect(tip, key).toContainText(`commit ${commit}`);
      await expect(announcement, key).toContainText(`commit ${commit}`);
      await expect(drawing(page)).toBeFocused();
    }
    await page.keyboard.press("Alt+ArrowRight");
    await expect(tip, "keys with a modifier are the browser's").toContainText("commit walk-10");
    await page.keyboard.press("Escape");
    await expect(tip).toBeHidden();
    await page.keyboard.press("ArrowLeft");
    await expect(tip, "the chart keeps its point").toContainText("commit walk-09");
    const record = await points(page).nth(9).getAttribute("data-href");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(record!);
    await page.goBack();
    await expect(page).toHaveURL(address);
    await expect(drawing(page), "Back focuses the chart").toBeFocused();
    await expect(tip).toContainText("commit walk-09");
    await stillTheSame();
  });

  test("the pointer shows the nearest point, Escape hides it, and a click opens its record", async ({ page, server }) => {
    const org = ownOrg("pointer");
    await uploadHistory(server, org, "hover", 3);
    await page.goto(`/repos/${org}/parking`);
    await hydrated(page);
    const mark = points(page).nth(1);
    const tip = page.locator(".chart .tip");
    const box = (await mark.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2 + 10, box.y + 40);
    await expect(tip).toContainText("commit hover-01");
    await page.keyboard.press("Escape");
    await expect(tip).toBeHidden();
    await page.mouse.move(box.x + box.width / 2 + 8, box.y + 40);
    await expect(tip).toContainText("75.00");
    await page.mouse.down();
    await page.mouse.up();
    await expect(page).toHaveURL((await mark.getAttribute("data-href"))!);
  });

  test("a drag and a double click open nothing, and a later click does", async ({ page, server }) => {
    const org = ownOrg("drag");
    await uploadHistory(server, org, "drag", 3);
    const address = `/repos/${org}/parking`;
    await page.goto(address);
    await hydrated(page);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    const mark = points(page).nth(1);
    const box = (await mark.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];

    for (const [byX, byY] of [[120, 0], [-40, 30], [0, 60]] as const) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + byX, y + byY, { steps: 4 });
      await page.mouse.up();
    }
    // Dragging there and back is a drag too.
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 50, y, { steps: 4 });
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.up();
    await page.mouse.dblclick(x, y);
    await page.mouse.dblclick(x + 12, y + 30);
    await page.mouse.click(x, y, { clickCount: 3 });
    // Longer than a click waits for a second click, which is what this test checks.
    await page.waitForTimeout(700);
    expect(requests, "the browser requests nothing").toEqual([]);
    await expect(page).toHaveURL(address);

    await page.mouse.click(x, y);
    await expect(page).toHaveURL((await mark.getAttribute("data-href"))!);
  });

  test("a click with Control opens a point in a new tab", async ({ page, context, server }) => {
    const org = ownOrg("tab");
    await uploadHistory(server, org, "tab", 2);
    const address = `/repos/${org}/parking`;
    await page.goto(address);
    await hydrated(page);
    const mark = points(page).first();
    const [tab] = await Promise.all([context.waitForEvent("page"), mark.click({ modifiers: ["Control"] })]);
    await expect(tab).toHaveURL((await mark.getAttribute("data-href"))!);
    await expect(page).toHaveURL(address);
  });

  test("a point keeps the colour of its line under the pointer", async ({ page, server }) => {
    const org = ownOrg("colour");
    await uploadRecord(server, { org_name: org }, "75.00", {});
    await uploadRecord(server, { org_name: org, branch_name: "dev" }, "50.00", {});
    await page.goto(`/repos/${org}/parking?branch=dev`);
    await hydrated(page);
    await expect(points(page)).toHaveCount(2);
    for (const index of [0, 1]) {
      const shape = points(page).nth(index).locator("path");
      const color = () => shape.evaluate((path) => [getComputedStyle(path).stroke, getComputedStyle(path).color]);
      const before = await color();
      await shape.hover();
      await expect(points(page).nth(index)).toHaveClass(/current/);
      expect(await color(), `line ${index}`).toEqual(before);
      expect(await shape.evaluate((path) => getComputedStyle(path).fill)).toBe(before[0]);
    }
  });
});

test.describe("with a finger", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 800 } });

  test("the first tap on the chart reads a point, the second opens its record", async ({ page, server }) => {
    const org = ownOrg("finger");
    await uploadHistory(server, org, "tap", 3);
    const address = `/repos/${org}/parking`;
    await page.goto(address);
    await hydrated(page);
    // The others have the same percentage and almost the same time.
    const mark = points(page).nth(1);
    const record = (await mark.getAttribute("data-href"))!;
    await mark.scrollIntoViewIfNeeded();
    const box = (await mark.boundingBox())!;
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await expect(page.locator(".chart .tip")).toContainText("commit tap-01");
    await expect(page).toHaveURL(address);
    // The first tap focuses the chart, which keeps the focus.
    await page.touchscreen.tap(box.x + box.width / 2 - 10, box.y + box.height / 2);
    await expect(page).toHaveURL(record);
  });
});

test("a repository with a full page of history prints on two sheets in desktop layout", async ({ page, server }) => {
  const org = ownOrg("paper");
  await uploadHistory(server, org, "paper", 52);
  for (let n = 0; n < 8; n++)
    await uploadRecord(server, { org_name: org, branch_name: `feature/some-topic-${n}`, commit_author: "Grace Hopper" }, "61.11", {});
  await page.goto(`/repos/${org}/parking`);
  await hydrated(page);
  const pdf = await page.pdf({ format: "A4" });
  const sheets = textsOfSheets(pdf);
  expect(sheets).toHaveLength(2);
  expect(Math.min(...sheets), "text on the emptiest sheet").toBeGreaterThan(20);

  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 700, height: 1000 });
  await expect(page.getByTestId("headline")).toBeVisible();
  await expect(page.locator(".wide-drawing")).toBeVisible();
  await expect(page.locator(".narrow-drawing")).toBeHidden();
  for (const table of [page.locator("table.branches").first(), page.locator("table.history")]) {
    await expect(table.getByRole("columnheader").first(), "tables have their heads").toBeVisible();
    const rows = await table.locator("tbody tr").evaluateAll((all) => all.map((row) => getComputedStyle(row).display));
    expect(new Set(rows)).toEqual(new Set(["table-row"]));
  }
  for (const hidden of [page.getByTestId("chooser"), page.getByRole("navigation", { name: "Time" }), page.getByRole("link", { name: "Older" }), page.getByText("Show as table"), page.getByText("Upload from a shell")])
    await expect(hidden).toBeHidden();
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

test("the snippets show the chosen branch, and one click copies them", async ({ page, server, context }) => {
  const org = ownOrg("snippets");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await uploadRecord(server, { org_name: org }, "75.00", {});
  await uploadRecord(server, { org_name: org, branch_name: "dev & more" }, "50.00", {});
  await page.goto(`/repos/${org}/parking?branch=${encodeURIComponent("dev & more")}`);
  await hydrated(page);
  const badge = page.getByTestId("badge").getByRole("img");
  await expect(badge).toHaveAttribute("alt", "coverage: 50.00 %");
  expect(await badge.evaluate((image: HTMLImageElement) => image.naturalWidth), "it is there").toBeGreaterThan(50);
  await page.getByRole("button", { name: "Copy Markdown" }).click();
  const markdown = await page.evaluate(() => navigator.clipboard.readText());
  const source = markdown.match(/^\[!\[coverage\]\((.+?)\)\]\((.+)\)$/)!;
  expect(source[2]).toBe(`${server.url}/repos/${org}/parking?branch=dev%20%26%20more`);
  expect(await (await page.request.get(source[1])).text()).toContain("50.00%");
  await page.getByRole("button", { name: "Copy Upload from a shell" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("--url-query 'branch_name=dev & more'");
});

test("a trend is a standalone picture in light and dark", async ({ page, server }) => {
  const org = ownOrg("picture");
  await uploadHistory(server, org, "picture", 3);
  const address = `/coverages-api/trend.svg?org_name=${org}&repo_name=parking`;
  await page.goto("/");
  const size = await page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, address);
  expect(size).toEqual([760, 260]);
  const fill = async (colorScheme: "light" | "dark") => {
    await page.emulateMedia({ colorScheme });
    await page.goto(address);
    return page.locator("rect").first().evaluate((ground) => getComputedStyle(ground).fill);
  };
  expect(await fill("light")).toBe("rgb(255, 255, 255)");
  expect(await fill("dark")).not.toBe("rgb(255, 255, 255)");
});

test.describe("for an unknown repository", () => {
  test.use({ expectedConsole: /status of 404/ });

  test("an unknown repository is Not found with status 404, and the page still works", async ({ page }) => {
    const response = await page.goto("/repos/no/such");
    expect(response?.status()).toBe(404);
    await expect(page).toHaveTitle("Not found · Coverage");
    await expect(page.getByRole("alert")).toContainText("No coverage was uploaded for no/such.");
    await hydrated(page);
    const stillTheSame = await sameDocument(page);
    await searchBox(page).fill("no/such");
    await searchBox(page).press("Enter");
    await expect(page.getByRole("alert")).toBeHidden();
    await expect(page.getByRole("status")).toBeVisible();
    await page.goBack();
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await expect(page).toHaveURL("/");
    await stillTheSame();
  });
});

const names = {
  "255 bytes without a break": "b".repeat(255),
  "right to left": `إصلاح/${"واجهة".repeat(20)}`,
  emoji: "👩‍👩‍👧‍👦".repeat(10),
  markup: `</bdi><script>window.ran=1</script><img src=x onerror="window.ran=1">`,
};

for (const [kind, name] of Object.entries(names)) {
  test(`a branch and an author of ${kind} are text and do not widen the page`, async ({ page, server }) => {
    const org = ownOrg("names");
    await uploadRecord(server, { org_name: org }, "75.00");
    await uploadRecord(server, { org_name: org, branch_name: name, commit_author: name }, "50.00");

    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/repos/${org}/parking`);
      await hydrated(page);
      expect.soft(await sidewaysScroll(page), `wider than ${width} px, among the branches`).toBeLessThanOrEqual(0);
      await page.getByRole("rowheader").getByRole("link", { name, exact: true }).click();
      await expect(page.getByTestId("headline")).toContainText("50.00");
      await expect(page.getByTestId("headline").getByText(name, { exact: true })).toHaveCount(2);
      expect.soft(await sidewaysScroll(page), `wider than ${width} px, in headline and chart`).toBeLessThanOrEqual(0);
      await page.reload();
      await hydrated(page);
      expect.soft(await sidewaysScroll(page), `wider than ${width} px, reloaded`).toBeLessThanOrEqual(0);
    }
    expect(await page.evaluate(() => "ran" in window), "nothing of it ran").toBe(false);
  });
}

test("the longest org and repository names widen no page", async ({ page, server }) => {
  const org = `${ownOrg("o")}/${"o".repeat(240)}`;
  const repo = "r".repeat(255);
  const branch_name = "b".repeat(255);
  await uploadRecord(server, { org_name: org, repo_name: repo, branch_name, language: "l".repeat(32) });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/?q=${org}`);
    await hydrated(page);
    expect.soft(await sidewaysScroll(page), `overview wider than ${width} px`).toBeLessThanOrEqual(0);
    const language = page.getByRole("row", { name: repo }).getByText("l".repeat(32));
    await language.scrollIntoViewIfNeeded();
    await expect(language, "the language fits").toBeInViewport({ ratio: 1 });
    await page.getByRole("link", { name: repo, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(repo);
    expect.soft(await sidewaysScroll(page), `repository wider than ${width} px`).toBeLessThanOrEqual(0);
    await page.goto(`/?q=${"n".repeat(300)}`);
    await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
    expect.soft(await sidewaysScroll(page), `nothing found wider than ${width} px`).toBeLessThanOrEqual(0);
  }
});
