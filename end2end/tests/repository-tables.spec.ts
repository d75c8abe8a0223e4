// The tables of the overview: in the browser, another order is one request for the page.
import type { Locator, Page } from "@playwright/test";
import { ownOrg } from "../fixtures/data";
import { hydrated, sameDocument } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

/** The overview of an org with three repositories; returns its address. */
async function openOrg(page: Page, server: Server): Promise<string> {
  const org = ownOrg("orders");
  await server.importHistory(
    [["core", 40, 70], ["web", 90, 95], ["tools", 60, 50]].flatMap(([repo_name, before, now], n) => [
      { org_name: org, repo_name: repo_name as string, lines_covered: before as number, days: 3 + n },
      { org_name: org, repo_name: repo_name as string, lines_covered: now as number, days: n },
    ]),
  );
  const address = `/?org_name=${org}`;
  await page.goto(address);
  return address;
}

const names = (page: Page): Locator => page.locator("table.repos tbody th .name");
const endingWith = (...repos: string[]) => repos.map((repo) => new RegExp(`${repo}$`));
const heading = (page: Page, name: string) => page.getByRole("table").getByRole("button", { name, exact: true });

test("a heading shows another order with one request, and Back the one before", async ({ page, server }) => {
  const address = await openOrg(page, server);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  const requests: string[] = [];
  page.on("request", (request) => request.resourceType() === "fetch" && !request.url().includes(".wasm") && requests.push(new URL(request.url()).pathname));
  await expect(names(page)).toHaveText(endingWith("core", "tools", "web"));

  await heading(page, "Coverage").click();
  await expect(names(page)).toHaveText(endingWith("tools", "core", "web"));
  await expect(page).toHaveURL(`${address}&sort=coverage`);
  await expect(page.locator("#announcement")).toHaveText("Repositories, lowest coverage first.");
  await expect(page.getByRole("columnheader", { name: "Coverage" })).toHaveAttribute("aria-sort", "ascending");
  expect(requests).toEqual(["/"]);

  await expect(heading(page, "Coverage"), "the keyboard stays at the heading").toBeFocused();
  await page.keyboard.press("Enter");
  await expect(names(page)).toHaveText(endingWith("web", "core", "tools"));
  await heading(page, "7 days").or(heading(page, "30 days")).press(" ");
  await expect(names(page)).toHaveText(endingWith("tools", "web", "core"));
  await heading(page, "7 days").click();
  await expect(names(page)).toHaveText(endingWith("core", "web", "tools"));
  await expect(page.getByRole("navigation", { name: "Sort by" }).locator("[aria-current]")).toHaveCount(0);

  await page.goBack();
  await expect(names(page)).toHaveText(endingWith("tools", "web", "core"));
  await page.goBack();
  await page.goBack();
  await expect(names(page)).toHaveText(endingWith("tools", "core", "web"));
  await stillTheSame();
});

test("a link to an order keeps the focus and announces the order", async ({ page, server }) => {
  await openOrg(page, server);
  await hydrated(page);
  const lowest = page.getByRole("navigation", { name: "Sort by" }).getByRole("link", { name: "Lowest" });
  await lowest.press("Enter");
  await expect(names(page)).toHaveText(endingWith("tools", "core", "web"));
  await expect(lowest).toBeFocused();
  const announced = page.locator("#announcement");
  await expect(announced).toHaveText("Repositories, lowest coverage first.");
  await page.getByRole("link", { name: "Biggest drop" }).press("Enter");
  await expect(announced).toHaveText("Repositories, biggest drop of the week first.");
});

test("a heading keeps the focus while its answer takes long", async ({ page, server }) => {
  await openOrg(page, server);
  await hydrated(page);
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/sort=coverage/, async (route) => {
    await held;
    await route.continue();
  });
  await heading(page, "Coverage").press("Enter");
  const sketch = () => page.getByRole("main").evaluate((main) => getComputedStyle(main, "::before").visibility);
  await expect.poll(sketch).toBe("visible");
  await expect(heading(page, "Coverage")).toBeFocused();
  answer();
  await expect(names(page)).toHaveText(endingWith("tools", "core", "web"));
  await expect(heading(page, "Coverage")).toBeFocused();
});

test("filters keep an order that was chosen in the browser", async ({ page, server }) => {
  await openOrg(page, server);
  await hydrated(page);
  await heading(page, "Uploaded").click();
  await expect(page).toHaveURL(/sort=-uploaded/);
  await heading(page, "Uploaded").click();
  await expect(names(page)).toHaveText(endingWith("tools", "web", "core"));
  await page.getByRole("combobox", { name: "Show" }).selectOption("below");
  await expect(page).toHaveURL(/sort=uploaded.*show=below|show=below.*sort=uploaded/);
  await expect(names(page)).toHaveText(endingWith("tools", "core"));
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("headings are links to every order and its opposite", async ({ page, server }) => {
    await openOrg(page, server);
    const link = (name: string) => page.getByRole("table").getByRole("link", { name, exact: true });
    await link("Uploaded").click();
    await expect(names(page)).toHaveText(endingWith("core", "web", "tools"));
    await link("Uploaded").click();
    await expect(names(page)).toHaveText(endingWith("tools", "web", "core"));
  });
});
