// WCAG 2.2 AA as far as axe can check it, and the keyboard, which axe cannot check.
import type { Locator, Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { chartReady, drawing } from "../fixtures/chart";
import { ownOrg, uploadRecord, uploadRepositories } from "../fixtures/data";
import { hydrated } from "../fixtures/page";
import { pagesOf } from "../fixtures/pages";
import { startServer, type Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

// Both workers share these long tests.
test.describe.configure({ mode: "parallel" });

for (const width of [1280, 360]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, expectedConsole: /status of 404 .*\/(nothing|parkin)/ });

    test("no page violates WCAG 2.2 AA", async ({ page, ownServer }) => {
      // Sixty uploads and two dozen pages take long on a busy machine.
      test.setTimeout(240_000);
      await page.goto(ownServer.url);
      await expect(page.getByRole("heading", { name: "Waiting for the first upload" })).toBeVisible();
      await hydrated(page);
      expect.soft(await violations(page), "the empty overview").toEqual([]);

      await uploadRecord(ownServer, { commit_hash: "c1" }, "61.11");
      const { id } = await uploadRecord(ownServer, { commit_hash: "c2" }, "50.00");
      await uploadRecord(ownServer, { branch_name: "fix/gate", pull_request: "7" }, "75.00");
      await uploadRepositories(ownServer, "zoo", 51);
      const shown = { org: "acme", repository: "acme/parking", branch: "fix/gate", record: id, file: "src/fee.py", author: "Kim" };
      for (const path of [
        ...Object.values(pagesOf(shown)),
        "/?sort=change&language=python",
        "/?keyword=no-such",
        "/orgs/zoo?mean=plain&over=all",
        "/uploads?outcome=taken&code=invalid_token",
      ]) {
        await page.goto(ownServer.url + path);
        await hydrated(page);
        await open(page);
        expect.soft(await violations(page), path).toEqual([]);
      }
    });
  });
}

test("the first Tab reaches the skip link to the content", async ({ page, server }) => {
  const org = ownOrg("skip");
  await uploadRecord(server, { org_name: org });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link", { name: "Gates of pull requests" })).toBeFocused();
});

test("no state of a chart violates WCAG 2.2 AA", async ({ page, server }) => {
  const org = ownOrg("states");
  const days = Array.from({ length: 60 }, (_, n) => ({ org_name: org, repo_name: "parking", lines_covered: 80 + (n % 9), days: 60 - n }));
  await server.importHistory([...days, ...days.map((day) => ({ ...day, branch_name: "dev", lines_covered: 60 }))]);
  await page.goto(`/repos/${org}/parking?compare=dev`);
  await chartReady(page);
  await drawing(page).focus();
  expect.soft(await violations(page), "a point is read").toEqual([]);
  await page.keyboard.press("Shift+PageUp");
  expect.soft(await violations(page), "a period is being selected").toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "dev · python" }).click();
  await page.getByText("Show as table").click();
  await expect(page.getByRole("button", { name: "Show the whole period" })).toBeVisible();
  expect.soft(await violations(page), "a period, a hidden line, the table").toEqual([]);
});

/** Sorts a table by one of its headings. */
const sorted = (table: Locator, heading: string) => table.getByRole("button", { name: heading, exact: true }).click();

test("no sorted or filtered table violates WCAG 2.2 AA", async ({ page, server }) => {
  const org = ownOrg("sorted-states");
  const records = Array.from({ length: 24 }, (_, n) => ({ org_name: org, repo_name: `repo-${n % 3}`, branch_name: `feature-${n}`, lines_covered: 40 + n, days: n % 12 }));
  const main = records.map((record) => ({ ...record, branch_name: "main", commit_author: "Kim" }));
  await server.importHistory([...records.map((record) => ({ ...record, repo_name: "repo-0" })), ...main]);

  await page.goto(`/?org_name=${org}`);
  await hydrated(page);
  await sorted(page.getByRole("table"), "Coverage");
  await expect(page.getByRole("heading", { name: "Repositories, lowest coverage first" })).toBeVisible();
  expect.soft(await violations(page), "another order of the overview").toEqual([]);

  await page.goto(`/repos/${org}/repo-0?tab=branches`);
  await hydrated(page);
  await sorted(page.getByRole("table", { name: "Branches" }), "Coverage");
  await page.getByRole("searchbox", { name: "Filter branches" }).fill("feature-1");
  expect.soft(await violations(page), "branches sorted and filtered").toEqual([]);
  await page.getByRole("searchbox", { name: "Filter branches" }).fill("no such branch");
  expect.soft(await violations(page), "a filter without a match").toEqual([]);

  await page.goto(`/orgs/${org}?range=all`);
  await hydrated(page);
  await sorted(page.getByTestId("movements"), "Repository");
  expect.soft(await violations(page), "what moved, sorted").toEqual([]);

  await page.goto("/authors/Kim");
  await hydrated(page);
  expect.soft(await violations(page), "an author's records").toEqual([]);
});

/** The problem with the visible focus; empty if it is outlined, in the window and not covered. */
function faultOfFocus(): string | null {
  const focused = document.activeElement!;
  const { outlineStyle, outlineWidth, opacity } = getComputedStyle(focused);
  const box = focused.getClientRects()[0];
  if (!box) return "has no box";
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const shown = document.elementFromPoint(x, y);
  if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) return "has no outline";
  if (opacity !== "1") return "is transparent";
  if (box.top < 0 || box.bottom > innerHeight) return "is outside of the window";
  if (!shown || !(focused.contains(shown) || shown.contains(focused))) return `is covered by ${shown?.outerHTML.slice(0, 80)}`;
  return null;
}

for (const key of ["Tab", "Shift+Tab"]) {
  test(`the focus is visible wherever ${key} moves it`, async ({ page, server }) => {
    const org = ownOrg("focus");
    await uploadRepositories(server, org, 12);
    await uploadRecord(server, { org_name: org, repo_name: "z-last" });
    await page.setViewportSize({ width: 1280, height: 320 });
    await page.goto(`/?keyword=${org}`);
    await hydrated(page);
    await page.keyboard.press(key);
    const faults: string[] = [];
    let stops = 0;
    for (; stops < 60 && (await page.evaluate(() => document.activeElement !== document.body)); stops++) {
      const fault = await page.evaluate(faultOfFocus);
      const name = await page.evaluate(() => document.activeElement!.outerHTML.slice(0, 120));
      if (fault) faults.push(`${name} ${fault}`);
      await page.keyboard.press(key);
    }
    expect(faults).toEqual([]);
    expect(stops, "7 in the bar (skip link, brand, search, three pages, theme), the link to the gates, 12 that narrow, order and count it, the org, 4 headings that sort, 13 repositories with their records, a report, the login, three links and the switch of the footer").toBe(57);
  });
}

/** Names of the maximum length, on every page that shows them. */
const long = { repo_name: "r".repeat(255), branch_name: "b".repeat(255), commit_author: "a".repeat(255), language: "l".repeat(32) };

/** Every page and some of its states, with names of usual length and with the longest names. */
async function allPages(server: Server): Promise<string[]> {
  const org = ownOrg("names");
  const group = `${org}/${"g".repeat(200)}`;
  await uploadRecord(server, { org_name: org, commit_hash: "c1", commit_author: "Kim" }, "75.00", {});
  const { id } = await uploadRecord(server, { org_name: org, commit_hash: "c2", commit_author: "Kim" }, "61.11");
  const branch = "feature/a-branch-with-a-name-that-goes-on-and-on-and-never-ends";
  await uploadRecord(server, { org_name: org, branch_name: branch, commit_author: "Kim", pull_request: "7" });
  await uploadRecord(server, { org_name: group, ...long, commit_hash: "d".repeat(63) + "1" }, "75.00");
  const longest = await uploadRecord(server, { org_name: group, ...long, commit_hash: "d".repeat(63) + "2" }, "50.00");
  await uploadRecord(server, { org_name: group, ...long, branch_name: "c".repeat(255), pull_request: "7" });
  await fetch(`${server.url}/coverages-api?${new URLSearchParams({ org_name: group, repo_name: long.repo_name })}`, { method: "POST", headers: { authorization: `Bearer ${server.token}` } });
  const repository = `${group}/${long.repo_name}`;
  const usual = pagesOf({ org, repository: `${org}/parking`, branch, record: id, file: "src/fee.py", author: "Kim" });
  const longer = pagesOf({ org: group, repository, branch: "c".repeat(255), record: longest.id, file: "s".repeat(300), author: long.commit_author });
  const states = [
    `/?keyword=${org}&sort=coverage`,
    `/?org_name=${encodeURIComponent(group)}&language=${long.language}`,
    `/?keyword=${"n".repeat(300)}`,
    `/orgs/${group}?range=all&over=all`,
    `/orgs/${org}?to=2020-01-01`,
    `/repos/${repository}?branch_name=${"c".repeat(255)}&compare=${long.branch_name}`,
    `/records/${id}?view=flat`,
    `/records/${longest.id}?file=nothing`,
    `/compare?head=${longest.id}&base=${encodeURIComponent(`${repository}@${"c".repeat(255)}`)}`,
    "/uploads?outcome=refused",
    `/uploads?repo=${"u".repeat(300)}`,
    `/setup?org_name=${encodeURIComponent(group)}&repo_name=${long.repo_name}&ci=github&language=javascript`,
  ];
  return [...new Set([...Object.values(usual), ...Object.values(longer), ...states])];
}

/** The elements that scroll sideways: the page or parts of it. Lines of code may. */
/** What is wider than its box. The tabs of a repository scroll on purpose. */
function sideways(): string[] {
  const isWider = (element: Element) => {
    const { overflowX, display } = getComputedStyle(element);
    return ["auto", "scroll"].includes(overflowX) && display !== "inline" && element.scrollWidth > element.clientWidth + 1;
  };
  const parts = [...document.querySelectorAll("body *:not(pre, textarea, iframe, .tabs)")].filter(isWider);
  const by = document.scrollingElement!.scrollWidth - innerWidth;
  return [...(by > 0 ? [`the page by ${by} px`] : []), ...parts.map((part) => part.outerHTML.slice(0, 120))];
}

/** Opens everything that can be opened. */
async function open(page: Page) {
  await page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
}

test.describe("every page", () => {
  test.use({ expectedConsole: /status of 404 / });

  test("no page is wider than its window, and names contain the visible text, with any names", async ({ page, server }) => {
    test.setTimeout(180_000);
    let named = 0;
    for (const path of await allPages(server)) {
      await page.setViewportSize({ width: 3840, height: 900 });
      await page.goto(path);
      await hydrated(page);
      await open(page);
      for (const width of [3840, 1920, 768, 640, 600, 320]) {
        await page.setViewportSize({ width, height: 900 });
        // Charts are drawn again after the layout.
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        expect.soft(await page.evaluate(sideways), `${path.slice(0, 80)} at ${width} px`).toEqual([]);
      }
      const found = await page.evaluate(() => {
        // Symbols such as arrows are not spoken, and a name may take two lines.
        const words = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}.,:/%+-]+/gu, "");
        const byIds = (ids: string) => ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
        const all = [...document.querySelectorAll<HTMLElement>("a[href], button, summary, [role=button], [role=link]")];
        const given = all.filter((one) => one.hasAttribute("aria-label") || one.hasAttribute("aria-labelledby"));
        const wrong = given.filter((one) => {
          const labelledBy = one.getAttribute("aria-labelledby");
          const name = labelledBy ? byIds(labelledBy) : one.getAttribute("aria-label")!;
          return !words(name).includes(words(one.innerText));
        });
        return { named: given.length, wrong: wrong.map((one) => `“${one.innerText}” is called “${one.getAttribute("aria-label")}”`) };
      });
      named += found.named;
      expect.soft(found.wrong, path.slice(0, 80)).toEqual([]);
    }
    expect(named, "links and buttons with a name that differs from their text").toBeGreaterThan(40);
  });
});

test("the login page fits a window of 320 px", async ({ page }) => {
  const guarded = await startServer({ "--protect-reading": true });
  await page.setViewportSize({ width: 320, height: 900 });
  for (const path of ["/login", `/login?next=${encodeURIComponent(`/repos/${"o".repeat(255)}/${"r".repeat(255)}`)}`]) {
    await page.goto(guarded.url + path);
    await expect(page.getByRole("textbox").or(page.locator("input[type=password]")).first()).toBeVisible();
    expect(await page.evaluate(sideways), path.slice(0, 40)).toEqual([]);
  }
  await page.goto("about:blank");
  await guarded.stop();
});

test.describe("with reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("nothing is animated", async ({ page, server }) => {
    const org = ownOrg("still");
    await uploadRecord(server, { org_name: org });
    for (const path of ["/", `/repos/${org}/parking`, "/setup"]) {
      await page.goto(path);
      await hydrated(page);
      const moving = await page.evaluate(() => document.getAnimations().length);
      expect(moving, path).toBe(0);
    }
  });
});
