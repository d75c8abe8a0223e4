// The page of a repository: its branch is in the address, and no name breaks its layout.
import { chartReady, marks } from "../fixtures/chart";
import { ownOrg, uploadHistory, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, sidewaysScroll } from "../fixtures/page";
import { textsOfSheets } from "../fixtures/pdf";
import { expect, test } from "../fixtures/test";

test("choosing a branch changes address, headline, chart and marked row; Back undoes it", async ({ page, server }) => {
  const org = ownOrg("branches");
  const branch_name = 'fix/ü & "x"#?';
  await uploadRecord(server, { org_name: org }, "75.00");
  await uploadRecord(server, { org_name: org, branch_name }, "50.00");
  const headline = page.getByTestId("headline");
  const legend = page.getByTestId("trend").locator("figcaption bdi");
  const chosen = page.locator("tr[aria-current]").getByRole("rowheader");
  const tab = (name: string) => page.getByRole("navigation", { name: "Pages of the repository" }).getByRole("link", { name });

  await page.goto(`/repos/${org}/parking`);
  await hydrated(page);
  await expect(headline).toContainText("75.00");
  await expect(legend).toHaveText(["main · python"]);
  const stillTheSame = await sameDocument(page);

  await tab("Branches").click();
  await expect(chosen).toContainText("main");
  await page.getByRole("link", { name: branch_name, exact: true }).click();
  await expect(headline).toContainText("50.00");
  await expect(page).toHaveURL(`/repos/${org}/parking?branch_name=${encodeURIComponent(branch_name)}`);
  await expect(legend).toHaveText([`${branch_name} · python`, "main · python"]);
  for (const line of [1, 2]) expect(await marks(page, line)).toHaveLength(1);
  await tab("Branches").click();
  await expect(chosen).toContainText(branch_name);

  for (let step = 0; step < 3; step++) await page.goBack();
  await expect(headline).toContainText("75.00");
  await expect(legend).toHaveText(["main · python"]);
  await stillTheSame();
});

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
  await expect(page.getByTestId("headline")).toContainText("−25.00 against its base");

  await compared.getByLabel("Add a branch to the chart").selectOption(other);
  await expect(legend).toHaveText(["feature/x · python", "main · python", `${other} · python`]);
  await compared.getByRole("link", { name: "Remove main from the chart" }).click();
  await expect(legend).toHaveText(["feature/x · python", `${other} · python`]);
  await chartReady(page);
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
  await page.getByLabel("Compare with").selectOption({ label: "main" });
  await expect(page.getByRole("heading", { name: "Compare", level: 1 })).toBeVisible();
  await expect(page.getByTestId("headline")).toContainText("−25.00");
  expect(await stillTheSame().then(() => false, () => true), "only the reload replaced the document").toBe(true);
});

test("the history pages from the newest record to the first and back", async ({ page, server }) => {
  const org = ownOrg("history");
  await uploadHistory(server, org, "commit", 52);
  const history = page.getByRole("region", { name: "History" });
  const rows = history.getByRole("rowheader");

  await page.goto(`/repos/${org}/parking?tab=history`);
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
    await page.getByLabel("Add a branch to the chart").selectOption("c++ & more");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect(legend).toHaveText(["dev · python", "main · python", "c++ & more · python"]);
    await page.getByRole("link", { name: "Remove main from the chart" }).click();
    await page.getByRole("link", { name: "Remove c++ & more from the chart" }).click();
    await expect(legend).toHaveText(["dev · python"]);
    await page.getByRole("link", { name: "Badge and upload" }).click();
    await expect(page.getByText("Upload from a shell")).toBeVisible();
    await expect(page.getByRole("button", { name: "Copy Markdown" })).toBeHidden();
  });
});

test("a full page of history prints on two sheets in desktop layout", async ({ page, server }) => {
  const org = ownOrg("paper");
  await uploadHistory(server, org, "paper", 52);
  await page.goto(`/repos/${org}/parking?tab=history`);
  await hydrated(page);
  const pdf = await page.pdf({ format: "A4" });
  const sheets = textsOfSheets(pdf);
  expect(sheets).toHaveLength(2);
  expect(Math.min(...sheets), "text on the emptiest sheet").toBeGreaterThan(20);

  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 700, height: 1000 });
  const table = page.locator("table.history");
  await expect(table.getByRole("columnheader").first(), "tables have their heads").toBeVisible();
  const rows = await table.locator("tbody tr").evaluateAll((all) => all.map((row) => getComputedStyle(row).display));
  expect(new Set(rows)).toEqual(new Set(["table-row"]));
  const navigation = (name: string) => page.getByRole("navigation", { name });
  for (const hidden of [page.getByTestId("chooser"), navigation("Time"), navigation("Pages of the repository"), page.getByRole("link", { name: /^Older/ })])
    await expect(hidden).toBeHidden();
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

test("the snippets show the chosen branch, and one click copies them", async ({ page, server, context }) => {
  const org = ownOrg("snippets");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await uploadRecord(server, { org_name: org }, "75.00", {});
  await uploadRecord(server, { org_name: org, branch_name: "dev & more" }, "50.00", {});
  await page.goto(`/repos/${org}/parking?tab=badge&branch_name=${encodeURIComponent("dev & more")}`);
  await hydrated(page);
  const badge = page.getByTestId("badge").getByRole("img");
  await expect(badge).toHaveAttribute("alt", "coverage: 50.00 %");
  // It is loaded when it comes into view.
  await badge.scrollIntoViewIfNeeded();
  await expect.poll(() => badge.evaluate((image: HTMLImageElement) => image.naturalWidth), "it is there").toBeGreaterThan(50);
  await page.getByRole("button", { name: "Copy Markdown" }).click();
  const markdown = await page.evaluate(() => navigator.clipboard.readText());
  const source = markdown.match(/^\[!\[coverage\]\((.+?)\)\]\((.+)\)$/)!;
  expect(source[2]).toBe(`${server.url}/repos/${org}/parking?branch_name=dev%20%26%20more`);
  expect(await (await page.request.get(source[1])).text()).toContain("50.00%");
  await page.getByRole("button", { name: "Copy Upload from a shell" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`curl -fsS ${server.url}/upload.sh | sh -s -- --org=${org} --repo=parking`);
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
    await page.getByRole("searchbox", { name: "Find a repository" }).fill("no/such");
    await page.getByRole("searchbox", { name: "Find a repository" }).press("Enter");
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
      await page.goto(`/repos/${org}/parking?tab=branches`);
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

test("tables keep their columns from 640 px on", async ({ page, server }) => {
  const org = ownOrg("columns");
  await uploadRecord(server, { org_name: org });
  for (const path of ["/?keyword=" + org, `/repos/${org}/parking?tab=branches`, `/repos/${org}/parking?tab=history`, `/uploads?repo=${org}`])
    for (const [width, has] of [[640, true], [639, false]] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      await hydrated(page);
      // The branch and commit of an upload are below its repository.
      const cells = await page.locator("main tbody tr").first().locator("> *:visible:not(.c-names)").evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().left));
      expect(new Set(cells).size === cells.length && cells.every((left, n) => n === 0 || left > cells[n - 1]), `${path} at ${width} px: ${cells}`).toBe(has);
    }
});

test("on a phone the tabs are one line, in which the current one is in view", async ({ page, server }) => {
  const org = ownOrg("one-line");
  await uploadRecord(server, { org_name: org });
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`/repos/${org}/parking?tab=badge`);
  const tabs = page.getByRole("navigation", { name: "Pages of the repository" });
  await expect(tabs.getByRole("link", { name: "Badge and upload" })).toBeInViewport({ ratio: 0.9 });
  expect((await tabs.boundingBox())!.height).toBeLessThan(48);
  await tabs.getByRole("link", { name: "Files and trend" }).focus();
  await expect(tabs.getByRole("link", { name: "Files and trend" })).toBeInViewport({ ratio: 0.9 });
});

test("the longest org and repository names widen no page", async ({ page, server }) => {
  const org = `${ownOrg("o")}/${"o".repeat(240)}`;
  const repo = "r".repeat(255);
  const branch_name = "b".repeat(255);
  await uploadRecord(server, { org_name: org, repo_name: repo, branch_name, language: "l".repeat(32) });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/?keyword=${org}`);
    await hydrated(page);
    expect.soft(await sidewaysScroll(page), `overview wider than ${width} px`).toBeLessThanOrEqual(0);
    const language = page.getByRole("row", { name: repo }).getByText("l".repeat(32));
    await language.scrollIntoViewIfNeeded();
    await expect(language, "the language fits").toBeInViewport({ ratio: 1 });
    await page.getByRole("link", { name: repo, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(repo);
    expect.soft(await sidewaysScroll(page), `repository wider than ${width} px`).toBeLessThanOrEqual(0);
    await page.goto(`/?keyword=${"n".repeat(300)}`);
    await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
    expect.soft(await sidewaysScroll(page), `nothing found wider than ${width} px`).toBeLessThanOrEqual(0);
  }
});
