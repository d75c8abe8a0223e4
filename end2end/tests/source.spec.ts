// The lines of a source file: going through them by keyboard, mouse and touch, with parts, and without an HTML report.
import type { Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { ownOrg } from "../fixtures/data";
import { sidewaysScroll } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";
import { tar, upload } from "../fixtures/upload";

const PATH = "src/fee.c";

/** Of 400 lines. The text of lines looks like markup, has characters that nobody sees, and is wider than a window. */
const TEXT = Array.from({ length: 400 }, (_, n) => (n === 300 ? `if (a < b) { // </script>\u202e ${"wide ".repeat(100)}\n` : `total += step(${n + 1});\n`)).join("");

/** A file of 400 lines with its text, or without it if it is of a part, in which these did not run, and of which 300 to 302 changed. */
async function uploadLines(server: Server, org: string, missed: number[], part?: string, html: Record<string, string> = {}): Promise<number> {
  const parameters = {
    org_name: org,
    repo_name: "parking",
    branch_name: "main",
    commit_hash: "c0ffee01",
    commit_author: "Kim",
    language: "c",
    coverage_xml_file_name: "lcov.info",
    ...(part ? { part } : {}),
  };
  const lines = Array.from({ length: 400 }, (_, n) => `DA:${n + 1},${missed.includes(n + 1) ? 0 : 1}\n`).join("");
  const files = { ...html, "lcov.info": `SF:${PATH}\n${lines}end_of_record\n` };
  const changes = `diff --git a/${PATH} b/${PATH}\n--- a/${PATH}\n+++ b/${PATH}\n@@ -299,0 +300,3 @@\n`;
  const sources = tar({ [PATH]: TEXT }).toString();
  const { status, body } = await upload(server, parameters, files, part ? { changes } : { changes, sources });
  expect([200, 201], body.detail).toContain(status);
  return body.coverage.id;
}

const source = (id: number) => `/records/${id}/source?path=${encodeURIComponent(PATH)}`;
/** Waits until the code for the lines is loaded. */
const ready = (page: Page) => expect(page.locator(".rows[data-keys]")).toBeAttached();
const chosen = (page: Page) => page.locator(".rows .on, .rows :target");

test("shortcuts of a single key can be switched off, and stay off", async ({ page, server }) => {
  // The rules of contrast look at each coloured word.
  test.slow();
  const id = await uploadLines(server, ownOrg("off"), [30, 31, 200, 301]);
  await page.goto(source(id));
  await ready(page);
  const toggle = page.getByRole("checkbox", { name: "Shortcuts of a single key" });
  const step = page.getByRole("link", { name: "Next missed line" });
  const search = page.getByRole("banner").getByRole("searchbox");
  await expect(toggle).toBeChecked();
  await toggle.uncheck();
  for (const loaded of ["by the switch", "by what the browser kept"]) {
    await toggle.blur();
    await page.keyboard.press("n");
    await page.keyboard.press("/");
    await expect(page.getByRole("dialog"), loaded).toHaveCount(0);
    await expect(page, loaded).toHaveURL(/[^#]{9}$/);
    await expect(step, loaded).not.toHaveAttribute("aria-keyshortcuts");
    await expect(search, loaded).toHaveAttribute("aria-keyshortcuts", "Control+K");
    expect.soft(await violations(page), loaded).toEqual([]);
    await page.reload();
    await ready(page);
    await expect(toggle, loaded).not.toBeChecked();
  }
  await toggle.check();
  await toggle.blur();
  await expect(step).toHaveAttribute("aria-keyshortcuts", "n");
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/#L30$/);
});

test("keys lead through missed and changed lines, unless the reader writes", async ({ page, server }) => {
  const id = await uploadLines(server, ownOrg("keys"), [30, 31, 200, 301]);
  await page.goto(source(id));
  await ready(page);
  for (const [key, line] of [
    ["n", "L30"],
    ["n", "L200"],
    ["n", "L301"],
    ["n", "L30"],
    ["p", "L301"],
    ["p", "L200"],
    ["c", "L300"],
  ]) {
    await page.keyboard.press(key);
    await expect(page, `after ${key}`).toHaveURL(new RegExp(`#${line}$`));
    await expect(chosen(page)).toBeInViewport();
    await expect(chosen(page).getByRole("link").first()).toBeFocused();
  }
  await page.getByRole("banner").getByRole("searchbox").focus();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/#L300$/);
  await page.keyboard.press("Escape");
  await page.goBack();
  await expect(page, "steps through the file are no steps of the history").not.toHaveURL(/source/);
});

test("the mouse goes from the changed lines of a record to their lines, and selects more", async ({ page, server }) => {
  const id = await uploadLines(server, ownOrg("mouse"), [30, 31, 300, 301]);
  await page.goto(`/records/${id}`);
  const changes = page.getByRole("region", { name: "Changed lines" });
  const code = page.getByRole("region", { name: "Code to cover" });
  await expect(code.locator("code")).toHaveCount(8);
  await expect(code.locator("code").nth(4)).toContainText("</script>⟨U+202E⟩ wide");
  expect(await violations(page), "code with context").toEqual([]);
  await code.getByRole("link", { name: "Line 300: 2 lines missed or partial" }).click();
  await expect(page).toHaveURL(`${source(id)}&line=300#L300`);
  await page.goBack();
  await changes.getByRole("link", { name: "300–301" }).click();
  await expect(page).toHaveURL(`${source(id)}&line=300-301#L300`);
  await ready(page);
  await expect(chosen(page).first()).toBeInViewport();
  await expect(chosen(page).getByRole("link", { name: "Line 300: 2 lines missed or partial" })).toBeVisible();
  await expect(chosen(page).locator("code").first()).toContainText("total += step(300);");
  await page.getByRole("link", { name: "Previous missed line" }).click();
  await expect(page).toHaveURL(/#L30$/);
  await page.getByRole("link", { name: "Line 300:" }).click({ modifiers: ["Shift"] });
  await expect(page).toHaveURL(/#L30-L300$/);
  await expect(chosen(page)).toHaveCount(271);
  expect(await violations(page)).toEqual([]);
});

test.describe("touch", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 800 } });

  test("a finger steps through the missed lines of all parts and of one", async ({ page, server }) => {
    const org = ownOrg("touch");
    const html = (name: string) => ({ "html/index.html": "all", [`html/${PATH}.gcov.html`]: `<title>fee</title><p>The page of ${name}` });
    await uploadLines(server, org, [30, 31, 200], "unit", html("unit"));
    const id = await uploadLines(server, org, [200, 350], "e2e");
    await page.goto(source(id));
    await ready(page);
    const parts = page.getByRole("navigation", { name: "Lines of" });
    await expect(parts.getByRole("link")).toHaveText([/^All parts 99\.75/, /^e2e 99\.50/, /^unit 99\.25/]);
    await expect(page.getByRole("group").filter({ hasText: /HTML report of part unit alone: 99\.25/ })).toBeVisible();
    await page.getByRole("link", { name: "Next missed line" }).tap();
    await expect(page).toHaveURL(/#L200$/);
    await expect(chosen(page)).toBeInViewport();
    await parts.getByRole("link", { name: "e2e" }).tap();
    await expect(page).toHaveURL(/part=e2e/);
    await ready(page);
    await expect(page.getByText("No HTML report of part e2e is stored.")).toBeVisible();
    await page.getByRole("link", { name: "Next missed line" }).tap();
    await page.getByRole("link", { name: "Next missed line" }).tap();
    await expect(page).toHaveURL(/#L350$/);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("an address with a line opens at the line", async ({ page, server }) => {
    const id = await uploadLines(server, ownOrg("plain"), [30, 301]);
    await page.goto(`${source(id)}&line=301`);
    await expect(page.locator(".rows .on").first()).toBeInViewport();
    await page.getByRole("link", { name: "Next missed line" }).click();
    await expect(page).toHaveURL(/#L30$/);
  });
});
