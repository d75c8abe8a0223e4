// Light, dark and the system's colours, without a flash.
import { hydrated } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

const background = () => getComputedStyle(document.body).backgroundColor;
const LIGHT = "rgb(246, 247, 249)";
const DARK = "rgb(14, 17, 22)";

test("the switch goes through all themes, and a page has the chosen one", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  await hydrated(page);
  expect(await page.evaluate(background)).toBe(DARK);
  const button = page.getByRole("button", { name: /^Theme:/ });
  await expect(button).toHaveAccessibleName("Theme: system. Change to light.");
  await button.click();
  expect(await page.evaluate(background)).toBe(LIGHT);
  await expect(button).toHaveAccessibleName("Theme: light. Change to dark.");

  // The page states the theme before any script runs and before anything is drawn.
  const html = await (await page.request.get("/")).text();
  expect(html).toMatch(/<html[^>]*data-theme="light"/);
  expect(html).toContain('<meta name="color-scheme" content="light"');
  await page.reload();
  expect(await page.evaluate(background)).toBe(LIGHT);
  await hydrated(page);
  await button.click();
  await button.click();
  await expect(button).toHaveAccessibleName("Theme: system. Change to light.");
  expect(await page.evaluate(background)).toBe(DARK);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the switch returns to the page in the next theme", async ({ page }) => {
    await page.goto("/setup?ci=github");
    await page.getByRole("button", { name: /^Theme: system/ }).click();
    await expect(page).toHaveURL("/setup?ci=github");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  });
});
