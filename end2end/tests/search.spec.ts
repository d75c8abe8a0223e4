// The palette, and the other fields that suggest: the text finds pages, keys and clicks open them.
import type { Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, paletteField, sameDocument, searchBox } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

const palette = (page: Page) => page.getByRole("dialog", { name: "Search" });
const list = (page: Page) => page.getByRole("listbox", { name: "Suggestions" });
const options = (page: Page) => list(page).getByRole("option");
const active = (page: Page) => list(page).getByRole("option", { selected: true });

test("slash and Ctrl+K open the palette on every page, and Escape closes it", async ({ page, server }) => {
  const org = ownOrg("opens");
  const { id } = await uploadRecord(server, { org_name: org });
  for (const path of ["/", `/orgs/${org}`, `/repos/${org}/parking`, `/records/${id}`, "/compare", "/authors", "/uploads", "/storage", "/setup"]) {
    await page.goto(path);
    await hydrated(page);
    for (const key of ["/", "Control+K"]) {
      await page.keyboard.press(key);
      await expect(paletteField(page), `${path} ${key}`).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(palette(page)).toBeHidden();
    }
  }
});

test("words in any order and with a typing error find a repository, and Enter opens it", async ({ page, server }) => {
  const org = ownOrg("finds");
  await uploadRecord(server, { org_name: `${org}/platform`, repo_name: "payments" });
  await uploadRecord(server, { org_name: org, repo_name: "shop" });
  await page.goto("/");
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  await page.keyboard.press("/");
  await paletteField(page).fill(`paymetns ${org}`);
  await expect(active(page)).toHaveText(`${org}/platform/paymentsRepository`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/repos/${org}/platform/payments`);
  await expect(palette(page)).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("payments");
  await stillTheSame();
  await page.goBack();
  await expect(page).toHaveURL("/");
});

test("branches, commits and authors are found, and arrows choose among them", async ({ page, server }) => {
  const org = ownOrg("kinds");
  const author = `Åsa Öberg ${org}`;
  const { id } = await uploadRecord(server, { org_name: org, branch_name: "feature/Überblick", commit_hash: "9be01d2a4477", commit_author: author });
  await page.goto("/");
  await hydrated(page);
  await page.keyboard.press("Control+K");
  await paletteField(page).fill(`blick ${org}`);
  await expect(options(page).filter({ hasText: "Branch" })).toHaveText(`${org}/parking@feature/ÜberblickBranch`);
  await paletteField(page).fill("9BE01D2A44");
  await expect(active(page)).toHaveText(`9be01d2a · ${org}/parking@feature/ÜberblickCommit`);
  await paletteField(page).fill(`ÖBERG ${org}`);
  await expect(options(page).filter({ hasText: "Author" })).toHaveText(`${author}Author`);
  await paletteField(page).fill(org);
  await expect(options(page)).toContainText([org, `${org}/parking`]);
  await page.keyboard.press("ArrowDown");
  await expect(active(page)).toHaveText(`${org}/parkingRepository`);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(active(page), "the last one, after the first").toContainText("Repositories with");
  await paletteField(page).fill("9be01d2a4477");
  await expect(active(page)).toContainText("Commit");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/records/${id}`);
});

test("Ctrl+Enter and a click with Ctrl open a new tab, and a click opens the page here", async ({ page, context, server }) => {
  const org = ownOrg("tabs");
  await uploadRecord(server, { org_name: org });
  await page.goto("/");
  await hydrated(page);
  await page.keyboard.press("/");
  await paletteField(page).fill(`${org} parking`);
  await expect(active(page)).toHaveText(`${org}/parkingRepository`);
  const [byKey] = await Promise.all([context.waitForEvent("page"), page.keyboard.press("Control+Enter")]);
  await expect(byKey).toHaveURL(`/repos/${org}/parking`);
  await byKey.close();
  const [byClick] = await Promise.all([context.waitForEvent("page"), active(page).click({ modifiers: ["Control"] })]);
  await expect(byClick).toHaveURL(`/repos/${org}/parking`);
  await byClick.close();
  await expect(page).toHaveURL("/");
  await active(page).click();
  await expect(page).toHaveURL(`/repos/${org}/parking`);
});

test("Enter before the answer opens what the service finds", async ({ page, server }) => {
  const org = ownOrg("early");
  const { id } = await uploadRecord(server, { org_name: org, commit_hash: "e4a11b22c3" });
  await page.goto("/setup");
  await hydrated(page);
  await page.keyboard.press("/");
  await expect(options(page).first()).toBeVisible();
  await paletteField(page).fill("e4a11b22c3");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/records/${id}`);
});

test("the palette starts with the pages visited last", async ({ page, server }) => {
  const org = ownOrg("recent");
  for (const repo_name of ["one", "two"]) await uploadRecord(server, { org_name: org, repo_name });
  for (const path of [`/repos/${org}/one`, `/repos/${org}/two`, "/setup"]) {
    await page.goto(path);
    await hydrated(page);
  }
  await page.keyboard.press("/");
  await expect(options(page).nth(0)).toHaveText(`${org}/twoRepository`);
  await expect(options(page).nth(1)).toHaveText(`${org}/oneRepository`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/repos/${org}/two`);
});

test("the field in the bar opens the palette with what is typed", async ({ page, server }) => {
  const org = ownOrg("bar");
  await uploadRecord(server, { org_name: org });
  await page.goto("/");
  await hydrated(page);
  await searchBox(page).focus();
  await page.keyboard.type(org);
  await expect(paletteField(page)).toHaveValue(org);
  await expect(paletteField(page)).toBeFocused();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(palette(page)).toBeHidden();
  await expect(searchBox(page)).toHaveValue("");
  await searchBox(page).click();
  await expect(paletteField(page)).toBeFocused();
  await paletteField(page).hover();
  await page.mouse.down();
  await page.mouse.move(5, 400);
  await page.mouse.up();
  await expect(palette(page), "text that is selected up to the edge keeps it open").toBeVisible();
  await page.mouse.click(5, 400);
  await expect(palette(page), "a click beside the dialog closes it").toBeHidden();
  await expect(searchBox(page)).toBeFocused();
  await page.keyboard.press("/");
  await expect(paletteField(page)).toHaveValue("");
});

test("nothing found is said, and the overview is offered", async ({ page, server }) => {
  await uploadRecord(server, { org_name: ownOrg("something") });
  await page.goto("/setup");
  await hydrated(page);
  await page.keyboard.press("/");
  await paletteField(page).fill("<b>nothing</b> like it");
  await expect(palette(page).getByRole("status")).toHaveText("Nothing found.");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/?keyword=${encodeURIComponent("<b>nothing</b> like it")}`);
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
});

for (const width of [1280, 360]) {
  test(`the open palette violates no rule of WCAG 2.2 AA at ${width} px`, async ({ page, server }) => {
    const org = ownOrg("axe");
    await uploadRecord(server, { org_name: org, repo_name: "r".repeat(100), branch_name: "b".repeat(200) });
    await page.setViewportSize({ width, height: 700 });
    await page.goto("/");
    await hydrated(page);
    await page.keyboard.press("/");
    await paletteField(page).fill(`${org} b`);
    await expect(options(page).filter({ hasText: "Branch" })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    const { width: wide } = (await palette(page).boundingBox())!;
    expect(wide).toBeLessThanOrEqual(width);
  });
}

test("the fields to compare suggest repositories, then their branches", async ({ page, server }) => {
  const org = ownOrg("compares");
  await uploadRecord(server, { org_name: org });
  await uploadRecord(server, { org_name: org, branch_name: "fix/gate", commit_hash: "77aa88bb99" }, "50.00");
  await page.goto("/compare");
  await hydrated(page);
  const base = page.getByLabel("Base");
  await base.fill(`park ${org}`);
  await expect(options(page)).toHaveText([`${org}/parkingRepository`]);
  await page.keyboard.press("ArrowDown");
  await expect(active(page)).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(base).toHaveValue(`${org}/parking@`);
  await expect(options(page).filter({ hasText: "Branch" })).toHaveCount(2);
  await options(page).filter({ hasText: "@main" }).click();
  await expect(base).toHaveValue(`${org}/parking@main`);
  await expect(options(page)).toHaveCount(0);
  await page.getByLabel("Head").fill("nothing like it");
  await expect(page.getByText("Nothing found.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Nothing found.")).toBeHidden();
  await page.getByLabel("Head").fill("77aa88bb");
  await options(page).filter({ hasText: "Commit" }).click();
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("main")).toContainText("fix/gate");
});

test("the search for authors suggests names and opens the author", async ({ page, server }) => {
  const author = `Grace Hopper ${ownOrg("who")}`;
  await uploadRecord(server, { org_name: ownOrg("authors"), commit_author: author });
  await page.goto("/authors");
  await hydrated(page);
  await page.getByLabel("Author", { exact: true }).fill(author.split(" ").reverse().join(" ").replace("Hopper", "hoppre"));
  await options(page).filter({ hasText: author }).click();
  await expect(page).toHaveURL(`/authors/${encodeURIComponent(author)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(author);
});

test.describe("without answers", () => {
  test.use({ expectedConsole: /Failed to (load|fetch)|split_suggestions/ });

  test("a search that fails is said, and typing tries again", async ({ page, server }) => {
    const org = ownOrg("fails");
    await uploadRecord(server, { org_name: org });
    let fails = true;
    for (const path of ["**/coverages-api/repositories", "**/coverages-api/search?*"])
      await page.route(path, (route) => (fails ? route.abort() : route.continue()));
    await page.goto("/setup");
    await hydrated(page);
    await page.keyboard.press("/");
    await paletteField(page).fill(org);
    await expect(palette(page).getByRole("status")).toContainText("The server did not answer");
    fails = false;
    await paletteField(page).pressSequentially("/p");
    await expect(options(page).filter({ hasText: "Repository" })).toHaveText(`${org}/parkingRepository`);
    await expect(palette(page).getByRole("status")).not.toContainText("did not answer");
  });

  test("without the code that suggests, Enter filters the overview", async ({ page, server }) => {
    const org = ownOrg("chunk");
    await uploadRecord(server, { org_name: org });
    await page.route("**/split_suggestions.*", (route) => route.abort());
    await page.goto("/setup");
    await hydrated(page);
    await page.keyboard.press("/");
    await palette(page).getByRole("textbox").fill(org);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`/?keyword=${org}`);
    await expect(page.getByRole("rowheader")).toHaveText("parkingpython");
    await expect(palette(page)).toBeHidden();
  });
});
