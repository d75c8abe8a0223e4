// The picture of the README: the overview on a desktop, with the demonstration data.
import { test } from "@playwright/test";
import { join } from "node:path";
import { hydrated } from "../fixtures/page";

test("readme", async ({ browser }) => {
  const context = await browser.newContext({ colorScheme: "light", viewport: { width: 1200, height: 800 } });
  const page = await context.newPage();
  await page.goto(process.env.SCREENSHOTS_OF!);
  await hydrated(page);
  await page.screenshot({ path: join(process.env.SCREENSHOTS_TO!, "overview.png") });
  await context.close();
});
