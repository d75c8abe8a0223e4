// A repository's page in the browser: its branch is in its address, and no name breaks it.
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, searchBox, sidewaysScroll } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

test("a branch that is chosen changes address, headline, chart and marked row; Back undoes it", async ({ page, server }) => {
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

/** Records of one branch, each a commit called `NAME-00` and so on, the newest last. */
async function uploadHistory(server: Server, org: string, name: string, count: number) {
  for (let n = 0; n < count; n++)
    await uploadRecord(server, { org_name: org, commit_hash: `${name}-${String(n).padStart(2, "0")}` }, n % 2 ? "75.00" : "50.00", {});
}

test("two branches are compared: the chart, its table and the address have both, and each can be taken out", async ({ page, server }) => {
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
  await compared.getByRole("link", { name: "Take main out of the chart" }).click();
  await expect(legend).toHaveText(["feature/x · python", `${other} · python`]);
  await page.getByText("Show as table").click();
  const table = page.getByTestId("trend").getByRole("table");
  await expect(table.getByRole("row")).toHaveCount(3);
  await expect(table).toContainText("61.11");

  await page.getByRole("link", { name: "all time" }).click();
  await expect(page).toHaveURL(/range=all/);
  await expect(legend, "what was compared stays").toHaveText(["feature/x · python", `${other} · python`]);
  await compared.getByRole("link", { name: `Take ${other} out of the chart` }).click();
  await expect(legend).toHaveText(["feature/x · python"]);
  await page.reload();
  await expect(legend, "and so it is in the address").toHaveText(["feature/x · python"]);
  expect(await stillTheSame().then(() => false, () => true), "only the reload loaded the page anew").toBe(true);
});

test("the history is paged from the newest record to the first and back", async ({ page, server }) => {
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
    await page.getByRole("link", { name: "Take main out of the chart" }).click();
    await page.getByRole("link", { name: "Take c++ & more out of the chart" }).click();
    await expect(legend).toHaveText(["dev · python"]);
    await expect(page.getByRole("button", { name: "Copy Markdown" })).toBeHidden();
  });
});

test.describe("the points of the chart", () => {
  test("arrow keys walk the points of the chart, each says what it is, and Enter leads to its record", async ({ page, server }) => {
    const org = ownOrg("keys");
    await uploadHistory(server, org, "walk", 3);
    await page.goto(`/repos/${org}/parking`);
    await hydrated(page);
    const marks = page.getByTestId("trend").locator("svg:visible .mark");
    const tip = page.locator(".chart .tip");
    await expect(marks).toHaveCount(3);

    const newest = marks.nth(2);
    await expect(newest).toHaveAttribute("tabindex", "0");
    await newest.focus();
    await expect(tip).toContainText("commit walk-02");
    await page.keyboard.press("ArrowLeft");
    await expect(marks.nth(1)).toBeFocused();
    await expect(tip).toContainText("75.00");
    await page.keyboard.press("Home");
    await expect(tip).toContainText("commit walk-00");
    await expect(tip).toContainText("main · python");
    const record = await marks.first().getAttribute("href");
    await page.keyboard.press("Alt+ArrowRight");
    await expect(tip, "keys with a modifier are the browser's").toContainText("commit walk-00");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(record!);
  });

  test("the pointer shows the nearest one, Escape puts it away, and a click opens its record", async ({ page, server }) => {
    const org = ownOrg("pointer");
    await uploadHistory(server, org, "hover", 3);
    await page.goto(`/repos/${org}/parking`);
    await hydrated(page);
    const mark = page.getByTestId("trend").locator("svg:visible .mark").nth(1);
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
    await expect(page).toHaveURL((await mark.getAttribute("href"))!);
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
    // The others have the same percentage, and were measured at nearly the same time.
    const mark = page.getByTestId("trend").locator("svg:visible .mark").nth(1);
    const record = (await mark.getAttribute("href"))!;
    await mark.scrollIntoViewIfNeeded();
    const box = (await mark.boundingBox())!;
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await expect(page.locator(".chart .tip")).toContainText("commit tap-01");
    await expect(page).toHaveURL(address);
    // The first tap has given the point the focus, which one beside it takes away.
    await page.touchscreen.tap(box.x + box.width / 2 - 10, box.y + box.height / 2);
    await expect(page).toHaveURL(record);
  });
});

test("the snippets are of the chosen branch, and one click copies them", async ({ page, server, context }) => {
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

test("a trend is a picture of its own that an image can show, in light and dark", async ({ page, server }) => {
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

test.describe("where nothing was uploaded", () => {
  test.use({ expectedConsole: /status of 404/ });

  test("an unknown repository is Not found with its status, and the page still reacts", async ({ page }) => {
    const response = await page.goto("/repos/no/such");
    expect(response?.status()).toBe(404);
    await expect(page).toHaveTitle("Not found · Coverage");
    await expect(page.getByRole("alert")).toContainText("No coverage of no/such was uploaded here.");
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
  test(`a branch and an author of ${kind} are shown as text and leave the page as wide as it was`, async ({ page, server }) => {
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

test("the longest organisation and repository leave every page as wide as it was", async ({ page, server }) => {
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
    await expect(language, "the language has room").toBeInViewport({ ratio: 1 });
    await page.getByRole("link", { name: repo, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(repo);
    expect.soft(await sidewaysScroll(page), `repository wider than ${width} px`).toBeLessThanOrEqual(0);
    await page.goto(`/?q=${"n".repeat(300)}`);
    await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
    expect.soft(await sidewaysScroll(page), `nothing found wider than ${width} px`).toBeLessThanOrEqual(0);
  }
});
