// The lines of a source file: going through them by keyboard, mouse and touch, with parts, and without an HTML report.
import type { Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { ownOrg } from "../fixtures/data";
import { chosenLines, linesReady, PATH, source, uploadLines } from "../fixtures/lines";
import { sidewaysScroll } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

/** Of 400 lines. The text of lines looks like markup, has characters that nobody sees, and is wider than a window. */
const TEXT = Array.from({ length: 400 }, (_, n) => (n === 300 ? `if (a < b) { // </script>\u202e ${"wide ".repeat(100)}\n` : `total += step(${n + 1});\n`)).join("");

test("shortcuts of a single key can be switched off, and stay off", async ({ page, server }) => {
  // Short, because the rules of contrast look at each coloured word.
  const all = TEXT.split("\n");
  const text = [...all.slice(0, 50), all[300], ...all.slice(51, 60)].join("\n");
  const id = await uploadLines(server, ownOrg("off"), text, [30, 31]);
  await page.goto(source(id));
  await linesReady(page);
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
    await linesReady(page);
    await expect(toggle, loaded).not.toBeChecked();
  }
  await toggle.check();
  await toggle.blur();
  await expect(step).toHaveAttribute("aria-keyshortcuts", "n");
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/#L30$/);
});

test("keys lead through missed and changed lines, unless the reader writes", async ({ page, server }) => {
  const id = await uploadLines(server, ownOrg("keys"), TEXT, [30, 31, 200, 301]);
  await page.goto(source(id));
  await linesReady(page);
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
    await expect(chosenLines(page)).toBeInViewport();
    await expect(chosenLines(page).getByRole("link").first()).toBeFocused();
  }
  await page.getByRole("banner").getByRole("searchbox").focus();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/#L300$/);
  await page.keyboard.press("Escape");
  await page.goBack();
  await expect(page, "steps through the file are no steps of the history").not.toHaveURL(/source/);
});

test("the mouse goes from the changed lines of a record to their lines, and selects more", async ({ page, server }) => {
  const id = await uploadLines(server, ownOrg("mouse"), TEXT, [30, 31, 300, 301]);
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
  await linesReady(page);
  await expect(chosenLines(page).first()).toBeInViewport();
  await expect(chosenLines(page).getByRole("link", { name: "Line 300: 2 lines missed or partial" })).toBeVisible();
  await expect(chosenLines(page).locator("code").first()).toContainText("total += step(300);");
  await page.getByRole("link", { name: "Previous missed line" }).click();
  await expect(page).toHaveURL(/#L30$/);
  await page.getByRole("link", { name: "Line 300:" }).click({ modifiers: ["Shift"] });
  await expect(page).toHaveURL(/#L30-L300$/);
  await expect(chosenLines(page)).toHaveCount(271);
  expect(await violations(page)).toEqual([]);
});

/** How many lines of the file the browser lays out: the blocks far from the window are skipped. */
const laidOut = (page: Page) =>
  page.locator(".rows [id]").evaluateAll((rows) => rows.filter((row) => row.checkVisibility({ contentVisibilityAuto: true })).length);

test("of 20,000 lines, only those near the window are laid out, and a link opens at its line", async ({ page, server }) => {
  test.slow();
  const text = Array.from({ length: 20_000 }, (_, n) => `if (fee > ${n}) { total += step("${n + 1}"); } // ${n}\n`).join("");
  const id = await uploadLines(server, ownOrg("long"), text, [30, 10_000, 19_990]);
  await page.goto(`${source(id)}&line=10000#L10000`);
  await linesReady(page);
  const opened = async (line: number) => {
    await expect(chosenLines(page)).toBeInViewport();
    await expect(page.locator(`#L${line} > a`)).toHaveAccessibleName(`Line ${line}: 1 line missed or partial`);
    await expect.poll(() => laidOut(page), `near line ${line}`).toBeLessThan(1_000);
  };
  await expect(page.locator(".rows [id]")).toHaveCount(20_000);
  await opened(10_000);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/#L19990$/);
  await opened(19_990);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/#L30$/);
  await opened(30);
  await page.locator("#L31 > a").click();
  await expect(page).toHaveURL(/#L31$/);
  await expect(chosenLines(page)).toHaveAttribute("id", "L31");
});

test("of lines of 40 kB, the first 2,000 characters are on the page, and a link opens at its line", async ({ page, server }) => {
  const text = Array.from({ length: 24 }, (_, n) => `${`step(${n}); `.repeat(5_000).slice(0, 40_000)}\n`).join("");
  const id = await uploadLines(server, ownOrg("broad"), text, [3, 20]);
  await page.goto(`${source(id)}&line=20#L20`);
  await linesReady(page);
  await expect(chosenLines(page)).toBeInViewport();
  await expect(chosenLines(page)).toContainText("… and 38,000 more characters");
  const longest = await page.locator(".rows code").evaluateAll((lines) => Math.max(...lines.map((line) => line.textContent!.length)));
  expect(longest).toBeLessThan(2_100);
  expect(await page.locator(".rows *").count()).toBeLessThan(24 * 2_000);
  expect(await sidewaysScroll(page)).toBe(0);
});

test.describe("touch", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 800 } });

  test("a finger steps through the missed lines of all parts and of one", async ({ page, server }) => {
    const org = ownOrg("touch");
    const html = (name: string) => ({ "html/index.html": "all", [`html/${PATH}.gcov.html`]: `<title>fee</title><p>The page of ${name}` });
    await uploadLines(server, org, TEXT, [30, 31, 200], "unit", html("unit"));
    const id = await uploadLines(server, org, TEXT, [200, 350], "e2e");
    await page.goto(source(id));
    await linesReady(page);
    const parts = page.getByRole("navigation", { name: "Lines of" });
    await expect(parts.getByRole("link")).toHaveText([/^All parts 99\.75/, /^e2e 99\.50/, /^unit 99\.25/]);
    await expect(page.getByRole("group").filter({ hasText: /HTML report of part unit alone: 99\.25/ })).toBeVisible();
    await page.getByRole("link", { name: "Next missed line" }).tap();
    await expect(page).toHaveURL(/#L200$/);
    await expect(chosenLines(page)).toBeInViewport();
    await parts.getByRole("link", { name: "e2e" }).tap();
    await expect(page).toHaveURL(/part=e2e/);
    await linesReady(page);
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
    const id = await uploadLines(server, ownOrg("plain"), TEXT, [30, 301]);
    await page.goto(`${source(id)}&line=301`);
    await expect(page.locator(".rows .on").first()).toBeInViewport();
    await page.getByRole("link", { name: "Next missed line" }).click();
    await expect(page).toHaveURL(/#L30$/);
  });
});
