// The trend chart in the browser: its points by pointer, finger and keys; hiding lines; selecting a period.
import type { Page } from "@playwright/test";
import { chartReady, dragAcross, drawing, marks } from "../fixtures/chart";
import { ownOrg, uploadHistory, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

const tip = (page: Page) => page.locator(".chart .tip");
const announcement = (page: Page) => page.locator("#announcement");
const period = (page: Page) => page.getByTestId("period");
const picture = (page: Page) => drawing(page).locator(".picture").evaluate((picture) => picture.innerHTML);

/** The page of a repository with a point for every half day of a year on `main`, and fewer on `dev`. */
async function openYear(page: Page, server: Server): Promise<string> {
  const org = ownOrg("year");
  const records = Array.from({ length: 700 }, (_, n) => ({
    org_name: org,
    repo_name: "parking",
    lines_covered: n < 350 ? 80 + (n % 5) : 70 + (n % 7),
    days: 360 - n / 2,
  }));
  const dev = records.filter((_, n) => n % 10 === 0).map((record) => ({ ...record, branch_name: "dev", lines_covered: 60 }));
  await server.importHistory([...records, ...dev]);
  await page.goto(`/repos/${org}/parking?compare=dev&range=12m`);
  await chartReady(page);
  return org;
}

test("the chart is one Tab stop, without a link for each point", async ({ page, server }) => {
  const org = ownOrg("one-thing");
  await uploadHistory(server, org, "one", 12);
  await uploadRecord(server, { org_name: org, branch_name: "dev" }, "61.11", {});
  await page.goto(`/repos/${org}/parking?compare=dev`);
  await chartReady(page);
  const trend = page.getByTestId("trend");
  expect([(await marks(page, 1)).length, (await marks(page, 2)).length]).toEqual([12, 1]);
  await expect(trend.getByRole("link")).toHaveCount(0);
  const chart = trend.getByRole("application");
  await expect(chart).toHaveAccessibleName(/^Trend of line coverage\. main · python: 75\.00 % on .+; dev · python: 61\.11 % on /);
  await expect(chart).toHaveAccessibleDescription(/Arrow keys, Page Up, Page Down, Home and End/);
  await page.getByRole("link", { name: "Remove dev from the chart" }).focus();
  await page.keyboard.press("Tab");
  await expect(chart).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(trend.getByRole("button", { name: "main · python" })).toBeFocused();
  await expect(tip(page)).toBeHidden();
});

test("keys move through the points, each is shown and announced, and Enter opens its record", async ({ page, server }) => {
  const org = ownOrg("keys");
  await uploadHistory(server, org, "walk", 12);
  await uploadRecord(server, { org_name: org, branch_name: "dev", commit_hash: "dev" }, "61.11", {});
  const address = `/repos/${org}/parking?compare=dev`;
  await page.goto(address);
  await chartReady(page);
  const stillTheSame = await sameDocument(page);
  await drawing(page).focus();
  await expect(tip(page), "the newest point is first").toContainText("commit walk-11");
  await expect(announcement(page)).toHaveText(/^75\.00.%, main · python, .+ UTC, commit walk-11/);
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
    ["ArrowUp", "walk-11"],
    ["Home", "walk-00"],
    ["End", "walk-11"],
    ["ArrowLeft", "walk-10"],
  ]) {
    await page.keyboard.press(key!);
    await expect(tip(page), key).toContainText(`commit ${commit}`);
    await expect(announcement(page), key).toContainText(`commit ${commit}`);
    await expect(drawing(page)).toBeFocused();
  }
  await page.keyboard.press("Alt+ArrowRight");
  await expect(tip(page), "keys with a modifier are the browser's").toContainText("commit walk-10");
  await page.keyboard.press("Escape");
  await expect(tip(page)).toBeHidden();
  await page.keyboard.press("ArrowLeft");
  await expect(tip(page), "the chart keeps its point").toContainText("commit walk-09");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/records\/\d+$/);
  await expect(page.getByRole("main")).toContainText("walk-09");
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(drawing(page), "Back focuses the chart").toBeFocused();
  await expect(tip(page)).toContainText("commit walk-09");
  await stillTheSame();
});

test("the pointer shows the date and the value of every line, and a click opens the record", async ({ page, server }) => {
  const org = ownOrg("pointer");
  await uploadRecord(server, { org_name: org, branch_name: "dev" }, "61.11", {});
  await uploadHistory(server, org, "hover", 3);
  await page.goto(`/repos/${org}/parking?compare=dev`);
  await chartReady(page);
  const [, { x, y }] = await marks(page);
  await page.mouse.move(x! + 4, y! + 30);
  await expect(tip(page)).toContainText("commit hover-01");
  await expect(tip(page)).toHaveText(/75\.00.%\s*main · python\s*\d+ \w+ \d{4}, \d\d:\d\d UTC[^]*\sby .+\s\+25\.00 since the point before[^]*dev · python: 61\.11.%/);
  const [text, plot] = [(await tip(page).boundingBox())!, (await drawing(page).boundingBox())!];
  expect(text.y + text.height, "the text covers no line").toBeLessThanOrEqual(plot.y + 1);
  await page.keyboard.press("Tab");
  // The focus may have scrolled the page.
  await chartReady(page);
  const [, again] = await marks(page);
  await page.mouse.move(again!.x + 3, again!.y + 30);
  await page.mouse.down();
  await page.mouse.up();
  await expect(page).toHaveURL(/\/records\/\d+$/);
  await expect(page.getByRole("main")).toContainText("hover-01");
});

test("a double click opens nothing, and a later click does", async ({ page, server }) => {
  const org = ownOrg("twice");
  await uploadHistory(server, org, "twice", 3);
  const address = `/repos/${org}/parking`;
  await page.goto(address);
  await chartReady(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  const [, { x, y }] = await marks(page);
  await page.mouse.move(x!, y!);
  await page.mouse.down();
  await page.mouse.move(x!, y! + 60, { steps: 4 });
  await page.mouse.up();
  await page.mouse.dblclick(x!, y!);
  await page.mouse.click(x!, y!, { clickCount: 3 });
  // Longer than a click waits for a second click, which is what this test checks.
  await page.waitForTimeout(700);
  expect(requests.filter((path) => path !== "/favicon.svg"), "the browser requests nothing").toEqual([]);
  await expect(page).toHaveURL(address);
  await page.mouse.click(x!, y!);
  await expect(page).toHaveURL(/\/records\/\d+$/);
});

test("a click with Control opens a point in a new tab", async ({ page, context, server }) => {
  const org = ownOrg("tab");
  await uploadHistory(server, org, "tab", 2);
  const address = `/repos/${org}/parking`;
  await page.goto(address);
  await chartReady(page);
  const [{ x, y }] = await marks(page);
  await page.keyboard.down("Control");
  const [tab] = await Promise.all([context.waitForEvent("page"), page.mouse.click(x!, y!)]);
  await page.keyboard.up("Control");
  await expect(tab).toHaveURL(/\/records\/\d+$/);
  await expect(page).toHaveURL(address);
});

test("the browser draws the same bytes as the server, and a line is hidden without a request", async ({ page, server }) => {
  await openYear(page, server);
  const byTheServer = await picture(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const main = page.getByRole("button", { name: "main · python" });
  await expect(main).toHaveAttribute("aria-pressed", "true");
  await main.click();
  await expect(main).toHaveAttribute("aria-pressed", "false");
  const hidden = await picture(page);
  expect(hidden).not.toBe(byTheServer);
  expect(hidden).not.toContain("series-1");
  await page.getByRole("button", { name: "dev · python" }).click();
  await expect(announcement(page)).toHaveText("One line has to stay.");
  expect(await picture(page)).toBe(hidden);
  await main.press("Enter");
  expect(await picture(page), "drawn by the browser").toBe(byTheServer);
  expect(requests.filter((url) => !url.endsWith(".svg"))).toEqual([]);
});

test("a drag selects a period with all its points; Back, double click and Escape undo it", async ({ page, server }) => {
  const org = await openYear(page, server);
  const whole = `/repos/${org}/parking?compare=dev&range=12m`;
  const stillTheSame = await sameDocument(page);
  await expect(period(page)).toHaveText("770 records, reduced to 370 points that keep the shape of the lines.");
  const answer = page.waitForResponse((response) => response.url().includes("/coverages-api/trend?"));
  await dragAcross(page, 0.4, 0.5);
  expect((await answer).status()).toBe(200);
  await expect(period(page)).toHaveText(/^\d+ \w+ \d{4} to \d+ \w+ \d{4}\. \d\d records, one point for each\.$/);
  await expect(page).toHaveURL(/range=12m&from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);
  const dates = new URL(page.url()).searchParams;
  await expect(page.getByLabel("From", { exact: true })).toHaveValue(dates.get("from")!);
  await expect(page.getByLabel("To", { exact: true })).toHaveValue(dates.get("to")!);
  await expect(page.getByRole("navigation", { name: "Time" }).locator("[aria-current]")).toHaveCount(0);
  const selected = await picture(page);

  await page.goBack();
  await expect(page).toHaveURL(whole);
  await chartReady(page);
  await expect(period(page)).toContainText("770 records");
  await page.goForward();
  await expect(page.getByLabel("From", { exact: true })).toHaveValue(dates.get("from")!);
  await chartReady(page);
  expect(await picture(page), "the server draws the same period").toBe(selected);
  await page.goBack();
  await expect(period(page)).toContainText("770 records");
  await chartReady(page);

  await dragAcross(page, 0.4, 0.5);
  await expect(page).toHaveURL(/from=/);
  await drawing(page).dblclick({ position: { x: 300, y: 60 } });
  await expect(page).toHaveURL(whole);
  await expect(period(page)).toContainText("770 records");
  await expect(page.getByRole("navigation", { name: "Time" }).locator("[aria-current]")).toHaveText("12 m");

  await dragAcross(page, 0.6, 0.5);
  await expect(page).toHaveURL(/from=/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(whole);
  await dragAcross(page, 0.3, 0.5);
  await page.getByRole("button", { name: "Show the whole period" }).click();
  await expect(page).toHaveURL(whole);
  await stillTheSame();
});

test("keys select a period, show it, and show more and less of it", async ({ page, server }) => {
  await openYear(page, server);
  await drawing(page).focus();
  await page.keyboard.press("PageUp");
  for (let n = 0; n < 3; n++) await page.keyboard.press("Shift+PageUp");
  await expect(drawing(page).locator(".selection")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawing(page).locator(".selection")).toHaveCount(0);
  await page.keyboard.press("Shift+PageUp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/from=/);
  await expect(period(page)).toContainText(" to ");
  const days = async () => {
    const { searchParams } = new URL(page.url());
    return (Date.parse(searchParams.get("to")!) - Date.parse(searchParams.get("from")!)) / 86_400_000;
  };
  const before = await days();
  await expect(period(page)).toContainText("one point for each");
  await page.keyboard.press("ArrowLeft");
  await expect(tip(page), "reading goes on in the period").toContainText("commit past");
  await page.keyboard.press("-");
  expect(await days()).toBeGreaterThan(before);
  const read = (await tip(page).textContent())!.match(/commit past\S*/)![0];
  await page.keyboard.press("+");
  await expect(tip(page), "the keyboard stays at its point").toContainText(read);
  await page.keyboard.press("+");
  expect(await days()).toBeLessThan(before);
});

test("if the points of a period cannot be loaded, the drawing stays and a button tries again", async ({ page, server }) => {
  await openYear(page, server);
  let isBroken = true;
  await page.route("**/coverages-api/trend?*", (route) => (isBroken ? route.fulfill({ status: 200, body: "no JSON" }) : route.continue()));
  await dragAcross(page, 0.4, 0.5);
  await expect(period(page)).toContainText("More points of this period could not be loaded.");
  await expect(drawing(page).locator("polyline")).not.toHaveCount(0);
  isBroken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(period(page)).toHaveText(/records, one point for each\.$/);
  await expect(page.getByRole("button", { name: "Try again" })).toBeHidden();
});

test("the table is built when it is opened, and shows what the chart shows", async ({ page, server }) => {
  await openYear(page, server);
  const table = page.getByRole("table", { name: "The chart's data" });
  await expect(table).toHaveCount(0);
  await page.getByText("Show as table").click();
  await expect(table.getByRole("row")).toHaveCount(301);
  await page.getByRole("button", { name: "main · python" }).click();
  await expect(table.getByRole("row")).toHaveCount(71);
});

test("a drag that returns, another button, and a click beside the points select and open nothing", async ({ page, server }) => {
  const org = await openYear(page, server);
  const address = `/repos/${org}/parking?compare=dev&range=12m`;
  const box = (await drawing(page).boundingBox())!;
  const [x, y] = [box.x + box.width * 0.4, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 90, y, { steps: 4 });
  await expect(drawing(page).locator(".selection")).toBeVisible();
  await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(x, y);
  await page.mouse.down({ button: "middle" });
  await page.mouse.move(x + 90, y, { steps: 4 });
  await page.mouse.up({ button: "middle" });
  await drawing(page).focus();
  await page.keyboard.press("Shift+PageUp");
  await page.mouse.click(box.x + 4, box.y + box.height - 4);
  // Longer than a click waits for a second click.
  await page.waitForTimeout(500);
  await expect(page).toHaveURL(address);
  await expect(drawing(page).locator(".selection")).toHaveCount(0);
});

test("a period without records keeps the place of the drawing, and says so", async ({ page, server }) => {
  const org = ownOrg("pause");
  const record = { org_name: org, repo_name: "parking", lines_covered: 80 };
  await server.importHistory([60, 59, 2, 1].map((days) => ({ ...record, days })));
  await page.goto(`/repos/${org}/parking`);
  await chartReady(page);
  const before = (await drawing(page).boundingBox())!;
  await dragAcross(page, 0.5, 0.6);
  await expect(period(page)).toContainText("Nothing was uploaded in this period.");
  expect((await drawing(page).boundingBox())!.height).toBeCloseTo(before.height, 0);
  await page.getByRole("button", { name: "Show the whole period" }).click();
  await expect(drawing(page)).toBeFocused();
  await expect(drawing(page).locator("polyline")).not.toHaveCount(0);
});

test("an org's days are selected in the chart, and lead to the same days of a repository", async ({ page, server }) => {
  const org = await openYear(page, server);
  await page.goto(`/orgs/${org}?range=12m`);
  await chartReady(page);
  await dragAcross(page, 0.4, 0.6);
  await expect(page).toHaveURL(/range=12m&from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);
  await expect(page.getByRole("button", { name: "Apply dates" }), "the whole page follows").toHaveAttribute("aria-current", "true");
  await chartReady(page);
  const dates = new URL(page.url()).search.match(/from=.*/)![0];
  await page.getByTestId("movements").getByRole("link", { name: "parking" }).click();
  await expect(page).toHaveURL(new RegExp(`/repos/${org}/parking\\?range=12m&${dates}$`));
});

test.describe("with a finger", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 800 } });

  test("the first tap on the chart reads a point, the second opens its record", async ({ page, server }) => {
    const org = ownOrg("finger");
    await uploadHistory(server, org, "tap", 3);
    const address = `/repos/${org}/parking`;
    await page.goto(address);
    await chartReady(page);
    await drawing(page).scrollIntoViewIfNeeded();
    // The others have the same percentage and almost the same time.
    const [, { x, y }] = await marks(page);
    await page.touchscreen.tap(x!, y!);
    await expect(tip(page)).toContainText("commit tap-01");
    await expect(page).toHaveURL(address);
    await page.touchscreen.tap(x! - 3, y!);
    await expect(page).toHaveURL(/\/records\/\d+$/);
    await expect(page.getByRole("main")).toContainText("tap-01");
  });

  test("a swipe across selects a period, and two fingers zoom", async ({ page, server, context }) => {
    await openYear(page, server);
    await drawing(page).scrollIntoViewIfNeeded();
    const box = (await drawing(page).boundingBox())!;
    const client = await context.newCDPSession(page);
    const at = (...shares: number[]) => shares.map((share, id) => ({ x: box.x + box.width * share, y: box.y + box.height / 2, id }));
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number; id: number }[]) =>
      client.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", at(0.4));
    for (const share of [0.45, 0.5, 0.6]) await touch("touchMove", at(share));
    await touch("touchEnd", []);
    await expect(page).toHaveURL(/from=/);
    await expect(period(page)).toHaveText(/records, one point for each\.$/);
    const days = () => {
      const { searchParams } = new URL(page.url());
      return (Date.parse(searchParams.get("to")!) - Date.parse(searchParams.get("from")!)) / 86_400_000;
    };
    const before = days();
    await touch("touchStart", at(0.45, 0.55));
    for (const spread of [0.1, 0.15, 0.2]) await touch("touchMove", at(0.5 - spread, 0.5 + spread));
    await touch("touchEnd", []);
    await expect.poll(days).toBeLessThan(before / 2);
    await expect(drawing(page).locator(".selection")).toHaveCount(0);
  });
});

test.describe("when the code of the chart is gone", () => {
  test.use({ expectedConsole: /split_trend_chart|404|Failed to fetch|HTTP status|expected magic/ });

  test("the drawing stays as the server made it, and the page still works", async ({ page, server }) => {
    const org = ownOrg("gone");
    await uploadHistory(server, org, "gone", 3);
    await page.route("**/split_trend_chart.*", (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(`/repos/${org}/parking`);
    await hydrated(page);
    await expect(drawing(page)).toHaveRole("img");
    await expect(drawing(page).locator("polyline")).not.toHaveCount(0);
    const stillTheSame = await sameDocument(page);
    await page.getByRole("link", { name: "all time" }).click();
    await expect(page).toHaveURL(/range=all/);
    await page.getByRole("button", { name: /^Theme:/ }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await stillTheSame();
  });
});

test("many visits to charts leave nothing in the browser's memory", async ({ page, server, context }) => {
  test.slow();
  const org = ownOrg("memory");
  await uploadHistory(server, org, "memory", 3);
  await uploadRecord(server, { org_name: org, branch_name: "dev" }, "61.11", {});
  await page.addInitScript(() => {
    const instantiate = WebAssembly.instantiateStreaming;
    WebAssembly.instantiateStreaming = async (...all) => {
      const result = await instantiate(...all);
      const memory = result.instance.exports.memory;
      if (memory) Object.assign(window, { memory });
      return result;
    };
  });
  await page.goto(`/repos/${org}/parking`);
  await chartReady(page);
  const client = await context.newCDPSession(page);
  await client.send("Performance.enable");
  const used = async () => {
    await client.send("HeapProfiler.collectGarbage");
    const { metrics } = await client.send("Performance.getMetrics");
    const nodes = metrics.find(({ name }) => name === "Nodes")!.value;
    return { nodes, wasm: await page.evaluate(() => (window as unknown as { memory?: WebAssembly.Memory }).memory?.buffer.byteLength ?? 0) };
  };
  const visits = async (count: number) => {
    for (let n = 0; n < count; n++) {
      await page.getByTestId("chooser").getByRole("combobox").selectOption(n % 2 ? "main" : "dev");
      await expect(page.getByRole("button", { name: n % 2 ? "main · python" : "dev · python" }).first()).toBeEnabled();
    }
  };
  await visits(20);
  const before = await used();
  await visits(180);
  let after = await used();
  // The browser may hold the nodes of the last pages for a moment after a collection.
  await expect
    .poll(async () => (after = await used()).nodes, { timeout: 20_000 })
    .toBeLessThan(before.nodes * 1.2);
  console.log(`after 20 visits ${JSON.stringify(before)}, after 200 ${JSON.stringify(after)}`);
  expect(after.wasm).toBeLessThanOrEqual(before.wasm + 131_072);
});
