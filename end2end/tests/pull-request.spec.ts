// The page of a pull request: from the link of its comment to the untested line, and the palette.
import type { Locator, Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { ownOrg } from "../fixtures/data";
import { chosenLines, linesReady } from "../fixtures/lines";
import { hydrated, paletteField, sidewaysScroll } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";
import { tar, upload } from "../fixtures/upload";

const PATH = "src/billing/tax.py";
const TEXT = Array.from({ length: 60 }, (_, n) => `total += rate(${n + 1})\n`).join("");

/** A file with 60 lines, of which 41 to 46 and 55 do not run; in a part, nor does one more. */
function lcov(more?: number): string {
  const hits = (line: number) => ((line > 40 && line < 47) || line === 55 || line === more ? 0 : 1);
  const lines = Array.from({ length: 60 }, (_, n) => `DA:${n + 1},${hits(n + 1)}\n`);
  return `SF:${PATH}\n${lines.join("")}end_of_record\n`;
}

const CHANGES = `diff --git a/${PATH} b/${PATH}\n--- a/${PATH}\n+++ b/${PATH}\n@@ -30,0 +31,20 @@\n`;

/** Uploads a commit of a pull request. Returns the links in the text of the comment: to the details, and to the missed lines. */
async function uploadPull(
  server: Server,
  org: string,
  commit: string,
  fields: Record<string, string> = {},
  part: { part?: string; files?: Record<string, string> } = {},
): Promise<{ details: string; lines: string }> {
  const { part: name, files } = part;
  const parameters = {
    org_name: org,
    repo_name: "payments",
    branch_name: "fix/tax",
    commit_hash: commit,
    commit_author: "Kim",
    language: "python",
    coverage_xml_file_name: "lcov.info",
    pull_request: "1421",
    summary: "1",
    ...(name ? { part: name, parts: "unit,e2e" } : {}),
  };
  const { status, body } = await upload(server, parameters, { "lcov.info": lcov(), ...files }, { changes: CHANGES, ...fields });
  expect([200, 201], body.detail).toContain(status);
  const { markdown } = (body as unknown as { summary: { markdown: string } }).summary;
  const link = (pattern: RegExp) => {
    // A commit that waits for parts has no verdict yet, so its comment does not name lines.
    const { pathname, search, hash } = new URL(pattern.exec(markdown)?.[1] ?? server.url);
    return pathname + search + hash;
  };
  return { details: link(/\[details\]\(([^)]+)\)/), lines: link(/\]\(([^)]+\/source\?[^)]+)\)/) };
}

/** Uploads of a commit with source text: of two parts with HTML reports, or of a single one without HTML. */
const SENT = {
  "parts and HTML": async (server: Server, org: string) => {
    const files = (part: string, more: number) => ({
      "lcov.info": lcov(more),
      "html/index.html": "all",
      [`html/${PATH}.gcov.html`]: `<title>tax</title><p>The page of ${part}`,
    });
    const sources = tar({ [PATH]: TEXT }).toString();
    await uploadPull(server, org, "c2", { sources }, { part: "unit", files: files("unit", 20) });
    return uploadPull(server, org, "c2", {}, { part: "e2e", files: files("e2e", 10) });
  },
  "no HTML": (server: Server, org: string) => uploadPull(server, org, "c2", { sources: tar({ [PATH]: TEXT }).toString() }),
};

/** How to follow a link, and how to go to the next missed line. */
const WAYS: Record<string, [follow: (page: Page, link: Locator) => Promise<void>, next: (page: Page, step: Locator) => Promise<void>]> = {
  mouse: [(_, link) => link.click(), (_, step) => step.click()],
  finger: [(_, link) => link.tap(), (_, step) => step.tap()],
  keys: [
    async (page, link) => {
      const isFocused = () => link.evaluate((element) => element === document.activeElement);
      for (let stops = 0; stops < 60 && !(await isFocused()); stops++) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
    },
    (page) => page.keyboard.press("n"),
  ],
};

test.describe("with a touch screen", () => {
  test.use({ hasTouch: true });

  for (const [sent, send] of Object.entries(SENT))
    test(`the comment leads to the untested lines by mouse, finger and keys, with ${sent}`, async ({ page, server }) => {
      // The rules of contrast look at each coloured word.
      test.slow();
      const org = ownOrg("pull");
      await uploadPull(server, org, "c1");
      const { details, lines } = await send(server, org);
      expect(details).toBe(`/repos/${org}/payments/pulls/1421`);
      const source = /\/source\?path=src%2Fbilling%2Ftax\.py&line=41-46#L41$/;
      /** The page shows the united state of the untested lines with their text. */
      const shown = async () => {
        await linesReady(page);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(PATH);
        await expect(chosenLines(page)).toHaveCount(6);
        await expect(chosenLines(page).first()).toBeInViewport();
        await expect(chosenLines(page).first().getByRole("link", { name: "Line 41: 6 lines missed or partial" })).toBeVisible();
        await expect(chosenLines(page).locator("code").first()).toContainText("total += rate(41)");
        await expect(page.getByText("53 of 60 lines covered")).toBeVisible();
      };
      await page.goto(lines);
      await expect(page).toHaveURL(source);
      await shown();
      expect(await violations(page), "the lines").toEqual([]);
      for (const [way, [follow, next]] of Object.entries(WAYS))
        await test.step(way, async () => {
          await page.goto(details);
          await hydrated(page);
          await expect(page.getByRole("heading", { level: 1 })).toHaveText("Pull request #1421");
          await expect(page.getByTestId("uploads").getByRole("rowheader")).toHaveText([/^c2/, /^c1/]);
          await follow(page, page.getByTestId("changes").getByRole("link", { name: "41–46" }));
          await expect(page).toHaveURL(source);
          await shown();
          await expect(chosenLines(page).first(), "keys continue there").toBeFocused();
          await next(page, page.getByRole("link", { name: "Next missed line" }));
          await expect(page).toHaveURL(/#L55$/);
          await expect(chosenLines(page)).toHaveCount(1);
          await expect(chosenLines(page).locator("code")).toContainText("total += rate(55)");
          await expect(chosenLines(page)).toBeInViewport();
        });
      expect(await violations(page), "the next lines").toEqual([]);
      const parts = page.getByRole("navigation", { name: "Lines of" });
      if (sent === "no HTML") {
        await expect(parts).toHaveCount(0);
        await expect(page.getByText("No HTML report of this record is stored.")).toBeVisible();
      } else {
        await expect(parts.getByRole("link")).toHaveText([/^All parts 88\.33/, /^e2e 86\.67/, /^unit 86\.67/]);
        await expect(page.getByRole("group").filter({ hasText: /HTML report of part (unit|e2e) alone: 86\.67/ })).toBeVisible();
      }
      await page.goto(details);
      await hydrated(page);
      expect(await violations(page), "the pull request").toEqual([]);
    });
});

test("the palette finds a pull request by its number and a file by its path", async ({ page, server }) => {
  // The name of the org resembles the number: a typing error away.
  const org = ownOrg("pull-1241");
  await uploadPull(server, org, "c1");
  await page.goto(`/repos/${org}/payments`);
  await hydrated(page);
  await page.keyboard.press("Control+K");
  await paletteField(page).fill("#1421");
  const option = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option", { selected: true });
  await expect(option).toHaveText(`#1421 · ${org}/paymentsPull request`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/repos/${org}/payments/pulls/1421`);
  await page.keyboard.press("Control+K");
  await paletteField(page).fill("billing tax");
  await expect(option).toHaveText(`${PATH} · ${org}/paymentsFile`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(PATH);
});

for (const width of [360, 768, 1440])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("pages about pull requests fit, without a violation of WCAG 2.2 AA", async ({ page, server }) => {
      const org = ownOrg("wide");
      const { details } = await uploadPull(server, org, "c1");
      for (const path of [details, `/repos/${org}/payments/pulls`, `/gates?org_name=${org}`]) {
        await page.goto(path);
        await hydrated(page);
        expect.soft(await sidewaysScroll(page), path).toBe(0);
        expect.soft(await violations(page), path).toEqual([]);
      }
    });
  });

test.describe("before the first upload", () => {
  test.use({ expectedConsole: /status of 404 .*\/pulls\/99/ });

  test("the page of a pull request says that nothing has arrived yet", async ({ page, server }) => {
    const org = ownOrg("waits");
    await uploadPull(server, org, "c1");
    await page.goto(`/repos/${org}/payments/pulls/99`);
    await hydrated(page);
    await expect(page.getByRole("main")).toContainText("No upload of pull request 99 has arrived yet.");
    expect(await violations(page)).toEqual([]);
  });
});
