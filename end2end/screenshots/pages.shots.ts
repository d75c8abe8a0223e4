// Pictures of every page with the demonstration data: in light and dark, as wide as a phone and as a desktop.
import { test } from "@playwright/test";
import { join } from "node:path";
import { hydrated } from "../fixtures/page";
import { pagesOf } from "../fixtures/pages";

const url = process.env.SCREENSHOTS_OF!;
// A service without data, and one with protected reading.
const [empty, guarded] = [process.env.SCREENSHOTS_EMPTY!, process.env.SCREENSHOTS_PROTECTED!];
const folder = process.env.SCREENSHOTS_TO!;

const shown = {
  org: "acme",
  repository: "acme/webshop",
  branch: "feature/faster-checkout",
  record: 10,
  file: "src/cart.ts",
  author: "Margaret Hamilton",
};

/** Every page, and states that look different. */
const pages: Record<string, string> = {
  ...pagesOf(shown),
  "overview-lowest": "/?sort=coverage",
  "overview-filtered": "/?keyword=acme",
  "overview-nothing": "/?keyword=no-such-thing",
  "org-all": "/orgs/samples?range=all",
  "repository-stale": "/repos/platform/tools/release-bot",
  "uploads-refused": "/uploads?outcome=refused",
  "first-start": `${empty}/`,
  "uploads-none": `${empty}/uploads`,
  "storage-none": `${empty}/storage`,
  login: `${guarded}/login`,
};

/** Pages for holders of an admin token, with that token. */
const admins: Record<string, string> = { settings: "/settings", audit: "/audit" };
const admin = process.env.SCREENSHOTS_ADMIN!;

/** The palette, empty and with suggestions. */
const searches: Record<string, string> = { palette: "", "palette-found": "web", "palette-nothing": "no such thing" };

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [360, 1440])
    for (const [name, path] of Object.entries(pages))
      test(`${name} ${colorScheme} ${width}`, async ({ browser }) => {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
        const page = await context.newPage();
        await page.goto(new URL(path, url).href);
        if (name !== "login") await hydrated(page);
        // The browser loads a report in a frame when the frame is visible, and draws it only then.
        if (await page.locator("iframe").count()) {
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          await page.setViewportSize({ width, height });
          for (const frame of await page.locator("iframe").all())
            await frame.contentFrame().locator("body *").first().waitFor();
        }
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        await context.close();
      });

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [360, 1440])
    for (const [name, path] of Object.entries(admins))
      test(`${name} ${colorScheme} ${width}`, async ({ browser }) => {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
        const page = await context.newPage();
        await page.goto(new URL(path, url).href);
        await page.getByLabel("Admin token").fill(admin);
        await page.getByRole("button", { name: "Log in" }).click();
        await page.getByRole("button", { name: "Log out" }).waitFor();
        await hydrated(page);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        await context.close();
      });

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [360, 1440])
    for (const [name, text] of Object.entries(searches))
      test(`${name} ${colorScheme} ${width}`, async ({ browser }) => {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
        const page = await context.newPage();
        await page.goto(new URL("/repos/acme/webshop", url).href);
        await hydrated(page);
        await page.keyboard.press("/");
        await page.getByRole("dialog").getByRole("combobox").fill(text);
        await page.getByRole("option").first().waitFor();
        // Nothing more is expected from the service.
        await page.waitForLoadState("networkidle");
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
        await context.close();
      });
