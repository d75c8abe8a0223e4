// The overview: its address is its state.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { coverageXml, ownOrg, uploadRecord, uploadRepositories } from "../fixtures/data";
import { hydrated, nameFilter, sameDocument, searchBox, sidewaysScroll } from "../fixtures/page";
import { textsOfSheets } from "../fixtures/pdf";
import { expect, test } from "../fixtures/test";

test("a search is in the address, and Back, Forward and Reload restore its results", async ({ page, server }) => {
  const org = ownOrg("search");
  await uploadRecord(server, { org_name: org, repo_name: "alpha" });
  await uploadRecord(server, { org_name: org, repo_name: "beta" });
  const rows = page.getByRole("rowheader");

  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  await expect(rows).toHaveCount(2);
  const stillTheSame = await sameDocument(page);

  await nameFilter(page).fill(`${org}/B`);
  await nameFilter(page).press("Enter");
  await expect(rows).toHaveText(["betapython"]);
  const found = `/?keyword=${encodeURIComponent(`${org}/B`)}`;
  await expect(page).toHaveURL(found);
  await expect(page.getByRole("main").getByRole("status")).toHaveText(`1 repository with “${org}/B”`);

  await page.goBack();
  await expect(rows).toHaveCount(2);
  await expect(nameFilter(page)).toHaveValue(org);
  await page.goForward();
  await expect(rows).toHaveText(["betapython"]);
  await expect(nameFilter(page)).toHaveValue(`${org}/B`);
  await stillTheSame();

  await page.reload();
  await expect(page).toHaveURL(found);
  await expect(rows).toHaveText(["betapython"]);
  await expect(nameFilter(page)).toHaveValue(`${org}/B`);
});

test("a search without results says so and can be cleared", async ({ page, server }) => {
  const org = ownOrg("nothing");
  await uploadRecord(server, { org_name: org });
  await page.goto("/");
  await hydrated(page);
  const keyword = `<i>${org}</i> & "more"`;
  await nameFilter(page).fill(keyword);
  await nameFilter(page).press("Enter");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await expect(page.getByRole("main").getByText(keyword, { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page).toHaveURL("/");
  await expect(nameFilter(page)).toHaveValue("");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeHidden();
});

test("text typed before hydration is kept", async ({ page }) => {
  let load = () => {};
  const blocked = new Promise<void>((resolve) => (load = resolve));
  await page.route("**/*.wasm", async (route) => {
    await blocked;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  await searchBox(page).fill("typed early");
  load();
  await hydrated(page);
  await expect(searchBox(page)).toHaveValue("typed early");
});

test("pages are turned by keyboard, start at the top and survive a reload", async ({ page, server }) => {
  const org = ownOrg("keys");
  await uploadRepositories(server, org, 51);
  const rows = page.getByRole("rowheader");
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);

  await page.getByRole("link", { name: "Next" }).press("Enter");
  await expect(rows).toHaveText(["repo-50python"]);
  await expect(page).toHaveURL(`/?keyword=${org}&p=2`);
  await page.getByRole("link", { name: "Previous" }).press("Enter");
  await expect(rows).toHaveCount(50);
  await expect(page).toHaveURL(`/?keyword=${org}`);
  await page.getByRole("link", { name: "Next" }).press("Enter");
  await expect(rows).toHaveCount(1);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await stillTheSame();

  await page.reload();
  await expect(rows).toHaveText(["repo-50python"]);
});

test("an empty service shows a command that uploads as written", async ({ page, ownServer }) => {
  await page.goto(ownServer.url);
  const command = await page.locator("pre").innerText();
  const folder = await mkdtemp(join(tmpdir(), "coverage-e2e-paste-"));
  await writeFile(join(folder, "coverage.xml"), coverageXml("75.00"));
  const git = "git init -q -b main && git -c user.name=Kim -c user.email=kim@example.com commit -q --allow-empty -m first";
  await promisify(execFile)("bash", ["-c", `${git} && ${command}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, NO_PROXY: "127.0.0.1", COVERAGE_TOKEN: ownServer.token },
  });
  await rm(folder, { recursive: true });

  await page.reload();
  await expect(page.getByTestId("org")).toContainText("75.00");
  await expect(page.getByRole("heading", { name: "Waiting for the first upload" })).toBeHidden();
});

test("the HTML of the biggest drop is three clicks away from the overview", async ({ page, ownServer }) => {
  for (const [repo_name, percentages] of [
    ["steady", ["75.00", "75.00"]],
    ["slipped", ["75.00", "61.11"]],
    ["fell", ["75.00", "50.00"]],
  ] as const)
    for (const [index, percentage] of percentages.entries())
      await uploadRecord(ownServer, { repo_name, commit_hash: `${repo_name}-${index}` }, percentage);
  await page.goto(ownServer.url);
  await hydrated(page);
  const dropped = page.getByTestId("dropped");
  await expect(dropped.getByRole("listitem")).toHaveText([/^acme\/fell.*25\.00$/, /^acme\/slipped.*13\.89$/]);
  await dropped.getByRole("link", { name: "acme/fell" }).click();
  await expect(page).toHaveURL(`${ownServer.url}/repos/acme/fell`);
  await page.getByRole("main").getByRole("link", { name: /HTML/ }).first().click();
  await expect(page.getByRole("heading", { name: "fell-1" })).toBeVisible();
});

test("attention items link to their kind, and from there back to all", async ({ page, ownServer }) => {
  for (let n = 0; n < 7; n++) await uploadRecord(ownServer, { repo_name: `low-${n}` }, "50.00", {});
  await page.goto(ownServer.url);
  await hydrated(page);
  const below = page.getByTestId("below");
  await expect(below.getByRole("listitem")).toHaveCount(5);
  await below.getByRole("link", { name: "See all: 7 repositories" }).click();
  await expect(page).toHaveURL(`${ownServer.url}/?show=below&sort=coverage`);
  await expect(page.getByRole("rowheader")).toHaveCount(7);
  await expect(page.getByRole("combobox", { name: "Show" })).toHaveValue("below");
  await expect(below).toBeHidden();
  await page.getByRole("main").getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL(`${ownServer.url}/?sort=coverage`);
  await page.getByRole("link", { name: "Name", exact: true }).click();
  await expect(page).toHaveURL(`${ownServer.url}/`);
  await expect(below).toBeVisible();
});

test("org, language and order are in the address and keep each other", async ({ page, server }) => {
  const org = ownOrg("filters");
  await uploadRecord(server, { org_name: org, repo_name: "high", language: "go" }, "75.00", {});
  await uploadRecord(server, { org_name: org, repo_name: "low", language: "go" }, "50.00", {});
  await uploadRecord(server, { org_name: org, repo_name: "other", language: "zig" }, "61.11", {});
  const rows = page.getByRole("rowheader");
  await page.goto("/");
  await hydrated(page);
  const stillTheSame = await sameDocument(page);

  await page.getByRole("combobox", { name: "Org" }).selectOption(org);
  await expect(rows).toHaveCount(3);
  await page.getByRole("combobox", { name: "Language" }).selectOption("go");
  await expect(rows).toHaveText(["highgo", "lowgo"]);
  await page.getByRole("link", { name: "Lowest" }).click();
  await expect(rows).toHaveText([`${org}/lowgo`, `${org}/highgo`]);
  await expect(page).toHaveURL(`/?org_name=${org}&language=go&sort=coverage`);
  await expect(page.getByRole("link", { name: "Lowest" })).toHaveAttribute("aria-current", "true");
  await nameFilter(page).fill("high");
  await nameFilter(page).press("Enter");
  await expect(rows).toHaveText([`${org}/highgo`]);
  await expect(page.getByRole("combobox", { name: "Org" })).toHaveValue(org);
  await stillTheSame();

  await page.reload();
  await expect(rows).toHaveText([`${org}/highgo`]);
  await expect(page.getByRole("combobox", { name: "Language" })).toHaveValue("go");
});

test("the printed overview has its lists in desktop layout, without controls", async ({ page, ownServer }) => {
  await uploadRepositories(ownServer, "acme", 52);
  await uploadRecord(ownServer, { org_name: "zoo", repo_name: "b".repeat(120), branch_name: "c".repeat(120) }, "75.00", {});
  await page.goto(ownServer.url);
  await hydrated(page);
  const sheets = textsOfSheets(await page.pdf({ format: "A4" }));
  expect(sheets.length).toBeLessThan(4);
  for (const texts of sheets) expect(texts).toBeGreaterThan(10);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 700, height: 1000 });
  await expect(page.getByTestId("below")).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Coverage" }).first()).toBeVisible();
  await expect(page.getByRole("rowheader").first()).toContainText("repo-00");
  for (const hidden of [page.getByRole("form", { name: "Filter repositories" }), page.getByRole("navigation", { name: "Sort by" }), nameFilter(page), page.getByRole("link", { name: "Next" }), page.getByRole("link", { name: /^See all/ }).first(), page.getByRole("link", { name: "Set up" })])
    await expect(hidden).toBeHidden();
  expect(await page.getByRole("main").locator("a:visible", { hasText: /[↗↓→←]/ }).count(), "arrows lead nowhere on paper").toBe(0);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

test("choosing an org includes its groups, as many as its count says", async ({ page, server }) => {
  const org = ownOrg("nested");
  const language = `only-${org}`.slice(0, 32);
  for (const [group, repo_name] of [["", "a"], ["/team", "b"], ["/team/core", "c"]])
    await uploadRecord(server, { org_name: org + group, repo_name, language }, "75.00", {});
  await page.goto(`/?language=${language}`);
  await hydrated(page);
  const orgs = page.getByRole("combobox", { name: "Org" });
  await expect(orgs.getByRole("option")).toHaveText(["All", `${org} (3)`, `${org}/team (2)`, `${org}/team/core (1)`]);
  await orgs.selectOption(org);
  await expect(page.getByRole("rowheader")).toHaveCount(3);
  await expect(page.getByRole("combobox", { name: "Language" }).getByRole("option")).toHaveText(["All", `${language} (3)`]);
  await orgs.selectOption(`${org}/team`);
  await expect(page.getByRole("rowheader")).toHaveCount(2);
});

test("the exact time of an upload appears on hover and on focus", async ({ page, server }) => {
  const org = ownOrg("time");
  await uploadRecord(server, { org_name: org });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  const age = page.getByRole("link", { name: /^just now: \d+ \w{3} \d{4}, \d\d:\d\d UTC$/ });
  const exact = age.locator(".exact");
  await expect(exact).toBeHidden();
  await age.hover();
  await expect(exact).toBeVisible();
  await expect(exact).toHaveText(/UTC$/);
  await expect(exact).toBeInViewport({ ratio: 1 });
  await page.mouse.move(0, 0);
  await expect(exact).toBeHidden();
  await page.getByRole("link", { name: "parking", exact: true }).focus();
  await page.keyboard.press("Tab");
  await expect(age).toBeFocused();
  await expect(exact).toBeVisible();
});

test("on a phone a repository has two lines", async ({ page, server }) => {
  const org = ownOrg("phone");
  for (const percentage of ["61.11", "50.00"] as const) {
    await uploadRecord(server, { org_name: org, repo_name: "without-report" }, percentage, {});
    await uploadRecord(server, { org_name: org, repo_name: "with-report" }, percentage);
  }
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`/?keyword=${org}`);
  for (const name of ["without-report", "with-report"]) {
    const row = page.getByRole("row").filter({ hasText: name });
    const lines = await row.locator("> :not(.c-cov):visible, > .c-cov > *").evaluateAll((cells) => cells.map((cell) => {
      const { top, bottom } = cell.getBoundingClientRect();
      return Math.round((top + bottom) / 2);
    }));
    const [first, second] = [lines[0], lines[lines.length - 1]];
    expect(second).toBeGreaterThan(first + 15);
    for (const line of lines) expect(Math.min(Math.abs(line - first), Math.abs(line - second)), `${name}: ${lines}`).toBeLessThan(8);
    await expect(row.getByText("30 days")).toBeVisible();
    await expect(row.locator(".age")).toBeVisible();
  }
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

test("names of any length fit a phone in every order", async ({ page, server }) => {
  const org = ownOrg("long");
  const names = { org_name: `${org}/${"w".repeat(200)}`, repo_name: "m".repeat(200), branch_name: "😀 ذيل/".repeat(8) };
  await uploadRecord(server, names, "75.00", {});
  await uploadRecord(server, names, "50.00", {});
  await page.setViewportSize({ width: 360, height: 800 });
  for (const sort of ["name", "coverage", "change", "-uploaded"]) {
    await page.goto(`/?keyword=${org}&sort=${sort}`);
    expect(await sidewaysScroll(page), sort).toBeLessThanOrEqual(0);
  }
  await page.goto(`/?org_name=${encodeURIComponent(names.org_name)}`);
  await expect(page.getByTestId("dropped").getByRole("listitem")).toHaveCount(1);
  expect(await sidewaysScroll(page), "with attention items").toBeLessThanOrEqual(0);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a button applies the choice", async ({ page, server }) => {
    const org = ownOrg("unscripted");
    await uploadRecord(server, { org_name: org, repo_name: "one" }, "50.00", {});
    await page.goto(`/?keyword=${org}&sort=coverage`);
    await page.getByRole("combobox", { name: "Show" }).selectOption("below");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByRole("rowheader")).toHaveText([`${org}/onepython`]);
    expect(new URL(page.url()).searchParams.get("sort")).toBe("coverage");
    await expect(nameFilter(page)).toHaveValue(org);
  });
});
