// The page of a pull request: from the link of its comment to the untested line, and the palette.
import { violations } from "../fixtures/axe";
import { ownOrg } from "../fixtures/data";
import { hydrated, paletteField, sidewaysScroll } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";
import { upload } from "../fixtures/upload";

const PATH = "src/billing/tax.py";

/** A file with 60 lines, of which 41 to 46 do not run. */
function xml(): string {
  const lines = Array.from({ length: 60 }, (_, n) => `<line number="${n + 1}" hits="${n >= 40 && n < 46 ? 0 : 1}"/>`);
  return `<coverage version="7.6"><packages><package><classes><class filename="${PATH}"><lines>${lines.join("")}</lines></class></classes></package></packages></coverage>`;
}

const CHANGES = `diff --git a/${PATH} b/${PATH}\n--- a/${PATH}\n+++ b/${PATH}\n@@ -30,0 +31,20 @@\n`;

/** Uploads a commit of a pull request. Returns the link in the text of the comment. */
async function uploadPull(server: Server, org: string, commit: string): Promise<string> {
  const parameters = {
    org_name: org,
    repo_name: "payments",
    branch_name: "fix/tax",
    commit_hash: commit,
    commit_author: "Kim",
    language: "python",
    coverage_xml_file_name: "coverage.xml",
    pull_request: "1421",
    summary: "1",
  };
  const { status, body } = await upload(server, parameters, { "coverage.xml": xml() }, { changes: CHANGES });
  expect(status, body.detail).toBe(201);
  const { markdown } = (body as unknown as { summary: { markdown: string } }).summary;
  return new URL(/\[details\]\(([^)]+)\)/.exec(markdown)![1]).pathname;
}

test.describe("with a touch screen", () => {
  test.use({ hasTouch: true });

  test("the link of the comment leads to the untested lines, by mouse, finger and keys", async ({ page, server }) => {
    const org = ownOrg("pull");
    await uploadPull(server, org, "c1");
    const link = await uploadPull(server, org, "c2");
    expect(link).toBe(`/repos/${org}/payments/pulls/1421`);
    await page.goto(link);
    await hydrated(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Pull request #1421");
    await expect(page.getByTestId("uploads").getByRole("rowheader")).toHaveText([/^c2/, /^c1/]);
    const lines = page.getByTestId("changes").getByRole("link", { name: "41–46" });
    const source = new RegExp(`/source\\?path=src%2Fbilling%2Ftax\\.py&line=41-46#L41$`);
    await lines.click();
    await expect(page).toHaveURL(source);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(PATH);
    await page.goBack();
    await lines.tap();
    await expect(page).toHaveURL(source);
    await page.goBack();
    await lines.focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(source);
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
      const link = await uploadPull(server, org, "c1");
      for (const path of [link, `/repos/${org}/payments/pulls`, `/gates?org_name=${org}`]) {
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
