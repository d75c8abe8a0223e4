// WCAG 2.2 AA as far as axe can tell, and what it cannot: the keyboard.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { ownOrg, uploadRecord, uploadRepositories } from "../fixtures/data";
import { hydrated, sidewaysScroll } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** A report in a frame is its tool's own page. */
async function violations(page: Page): Promise<string[]> {
  await hydrated(page);
  const results = await new AxeBuilder({ page }).withTags(tags).exclude("iframe").analyze();
  return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}

/** Of people, of the ledger and of recipes. */
const ofOperations = [
  "/authors/Kim",
  "/uploads",
  "/uploads?outcome=taken&code=invalid_token",
  "/setup",
  "/setup?org=acme&repo=none%20such&ci=github&language=javascript",
  "/repos/acme/prakign",
];

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 360]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 800 }, expectedConsole: /status of 404 .*\/(nothing|prakign)/ });

      test("no page violates WCAG 2.2 AA", async ({ page, ownServer }) => {
        await page.goto(ownServer.url);
        await expect(page.getByRole("heading", { name: "Waiting for the first upload" })).toBeVisible();
        expect.soft(await violations(page), "the empty overview").toEqual([]);

        await uploadRecord(ownServer, { commit_hash: "c1" }, "61.11");
        const { id } = await uploadRecord(ownServer, { commit_hash: "c2" }, "50.00");
        await uploadRecord(ownServer, { branch_name: "fix/gate" }, "75.00");
        await uploadRepositories(ownServer, "zoo", 51);
        for (const path of [
          "/",
          "/?sort=drop&language=python",
          "/?q=no-such",
          "/orgs/acme?range=all",
          "/orgs/zoo?mean=plain&over=all",
          "/repos/acme/parking",
          "/repos/acme/parking?branch=fix%2Fgate",
          `/records/${id}`,
          "/compare",
          `/compare?base=acme/parking@main&head=acme/parking@fix/gate`,
          "/nothing",
        ]) {
          await page.goto(ownServer.url + path);
          await page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
          expect.soft(await violations(page), path).toEqual([]);
        }
      });

      test("no page of authors, uploads and recipes violates WCAG 2.2 AA", async ({ page, ownServer }) => {
        await uploadRecord(ownServer, { commit_hash: "c1" }, "61.11");
        await uploadRecord(ownServer, { commit_hash: "c2" }, "75.00");
        for (const path of ofOperations) {
          await page.goto(ownServer.url + path);
          expect.soft(await violations(page), path).toEqual([]);
        }
      });
    });
  }
}

test("the first Tab reaches the skip link, which leads to the content", async ({ page, server }) => {
  const org = ownOrg("skip");
  await uploadRecord(server, { org_name: org });
  await page.goto(`/?q=${org}`);
  await hydrated(page);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link").first()).toBeFocused();
});

/** What is wrong with how the focus shows; nothing where it is outlined, in the window and not covered. */
function faultOfFocus(): string | null {
  const focused = document.activeElement!;
  const { outlineStyle, outlineWidth, opacity } = getComputedStyle(focused);
  const box = focused.getClientRects()[0];
  if (!box) return "has no place";
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const shown = document.elementFromPoint(x, y);
  if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) return "has no outline";
  if (opacity !== "1") return "is transparent";
  if (box.top < 0 || box.bottom > innerHeight) return "is outside of the window";
  if (!shown || !(focused.contains(shown) || shown.contains(focused))) return `is covered by ${shown?.outerHTML.slice(0, 80)}`;
  return null;
}

for (const key of ["Tab", "Shift+Tab"]) {
  test(`the focus is visible wherever ${key} takes it`, async ({ page, server }) => {
    const org = ownOrg("focus");
    await uploadRepositories(server, org, 12);
    await uploadRecord(server, { org_name: org, repo_name: "z-last" });
    await page.setViewportSize({ width: 1280, height: 320 });
    await page.goto(`/?q=${org}`);
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
    expect(stops, "6 in the bar (skip link, brand, search, two pages, theme), 8 that narrow and order it, the org, 13 repositories with their records, a report").toBe(42);
  });
}

for (const width of [320, 768, 1920, 3840])
  test(`no page is wider than a window of ${width} px`, async ({ page, server }) => {
    const org = ownOrg("wide");
    const { id } = await uploadRecord(server, { org_name: org, commit_author: "Kim" }, "61.11");
    await uploadRecord(server, { org_name: org, branch_name: "feature/a-branch-with-a-name-that-goes-on-and-on-and-never-ends" });
    await page.setViewportSize({ width, height: 900 });
    for (const path of [`/?q=${org}`, `/orgs/${org}`, `/repos/${org}/parking`, `/records/${id}`, `/compare?head=${id}&base=${org}/parking@main`, "/authors/Kim", "/uploads", "/setup"]) {
      await page.goto(path);
      await hydrated(page);
      expect.soft(await sidewaysScroll(page), path).toBeLessThanOrEqual(0);
    }
  });

test.describe("with reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("nothing moves by itself", async ({ page, server }) => {
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
