// What the trend chart shows can be copied as a picture or a table.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { chartReady, drawing } from "../fixtures/chart";
import { ownOrg } from "../fixtures/data";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

async function openTrend(page: Page, server: Server): Promise<string> {
  const org = ownOrg("copies");
  const record = { org_name: org, repo_name: "parking", lines_covered: 80 };
  await server.importHistory([9, 5, 1].map((days) => ({ ...record, days })));
  await page.goto(`/repos/${org}/parking`);
  await chartReady(page);
  return org;
}

test("the chart is copied as CSV, SVG and PNG", async ({ page, server, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const org = await openTrend(page, server);
  const copied = page.getByTestId("copied");
  const copy = async (format: string) => {
    await page.getByRole("button", { name: `Copy the chart as ${format}` }).click();
    await expect(copied).toHaveText("Copied.");
  };
  const text = () => page.evaluate(() => navigator.clipboard.readText());

  await copy("CSV");
  const rows = (await text()).trimEnd().split("\r\n");
  expect(rows[0]).toBe("time,line,percentage,details");
  expect(rows).toHaveLength(4);
  expect(rows[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+Z,main · \w+,80\.00,commit /);

  await copy("SVG");
  expect(await text()).toMatch(new RegExp(`^<svg .*Trend of line coverage, ${org}/parking.*</svg>$`, "s"));

  await copy("PNG");
  const [width, height, isDrawn] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const picture = await createImageBitmap(await item.getType("image/png"));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d")!;
    context.drawImage(picture, 0, 0);
    const pixels = context.getImageData(0, 0, picture.width, picture.height).data;
    const colors = new Set(new Uint32Array(pixels.buffer));
    return [picture.width, picture.height, colors.size > 20];
  });
  expect([width, height, isDrawn]).toEqual([1520, 520, true]);
});

test("without a clipboard, the chart is saved as a file", async ({ page, server }) => {
  await page.addInitScript(() => {
    // As on a page over plain HTTP from another machine.
    Object.defineProperty(window, "isSecureContext", { value: false });
  });
  await openTrend(page, server);
  for (const format of ["png", "svg", "csv"]) {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: `Copy the chart as ${format.toUpperCase()}` }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(new RegExp(`^repos-.*-parking-trend\\.${format}$`));
    expect((await readFile(await file.path())).length).toBeGreaterThan(100);
    await expect(page.getByTestId("copied")).toContainText("Saved as a file");
  }
  await expect(drawing(page)).toHaveRole("application");
});
