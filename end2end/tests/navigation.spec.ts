// Links and forms work without a reload, and every way to leave a page works as without scripts.
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, nameFilter, sameDocument } from "../fixtures/page";
import { expect, test } from "../fixtures/test";
import budget from "../budget.json";

test("a link replaces the page in place, scrolls to the top and is announced", async ({ page, server }) => {
  const org = ownOrg("links");
  for (let n = 0; n < 20; n++) await uploadRecord(server, { org_name: org, repo_name: `repo-${n}` }, "50.00", {});
  await page.setViewportSize({ width: 1000, height: 300 });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);

  await page.getByRole("link", { name: "repo-9", exact: true }).click();
  await expect(page).toHaveURL(`/repos/${org}/repo-9`);
  await expect(page).toHaveTitle(`${org}/repo-9 · Coverage`);
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page.locator("#announcement")).toHaveText(`${org}/repo-9 · Coverage`);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await stillTheSame();

  await page.goBack();
  await expect(page).toHaveTitle("Overview · Coverage");
  await expect.poll(() => page.evaluate(() => scrollY), "the scroll position is restored").toBeGreaterThan(200);
  await page.goForward();
  await expect(page).toHaveTitle(`${org}/repo-9 · Coverage`);
  await stillTheSame();
});

test("a reload and Back restore the scroll position", async ({ page, server }) => {
  const org = ownOrg("scroll");
  for (let n = 0; n < 12; n++) await uploadRecord(server, { org_name: org, repo_name: `repo-${n}` }, "50.00", {});
  const position = () => page.evaluate(() => scrollY);
  await page.setViewportSize({ width: 1000, height: 300 });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  await page.mouse.wheel(0, 300);
  await expect.poll(position).toBe(300);
  await expect.poll(() => page.evaluate(() => history.state?.scroll)).toBe(300);
  await page.reload();
  await hydrated(page);
  await expect.poll(position).toBe(300);
  await page.getByRole("link", { name: "repo-5", exact: true }).click();
  await expect(page).toHaveTitle(`${org}/repo-5 · Coverage`);
  await page.mouse.wheel(0, 120);
  await expect.poll(() => page.evaluate(() => history.state?.scroll)).toBe(120);
  await page.goBack();
  await expect(page).toHaveTitle("Overview · Coverage");
  await page.goForward();
  await expect(page).toHaveTitle(`${org}/repo-5 · Coverage`);
  await expect.poll(position).toBe(120);
});

test("a link that is clicked just after typing is followed", async ({ page, server }) => {
  const org = ownOrg("overrule");
  await uploadRecord(server, { org_name: org, repo_name: "parking" });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(`**/repos/${org}/parking`, async (route) => {
    await held;
    await route.continue();
  });
  await nameFilter(page).press("End");
  await nameFilter(page).pressSequentially("/pa");
  await page.getByRole("link", { name: "parking", exact: true }).click();
  await page.waitForTimeout(300);
  answer();
  await expect(page).toHaveURL(`/repos/${org}/parking`);
});

test("a field keeps the focus and the text of an input method while it filters", async ({ page, server }) => {
  const org = ownOrg("compose");
  const { id } = await uploadRecord(server, { org_name: org });
  await page.goto(`/records/${id}`);
  await hydrated(page);
  const field = page.locator("main input[name=file]");
  await field.focus();
  await field.pressSequentially("park", { delay: 250 });
  await expect(page).toHaveURL(/file=park/);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("park");
  await field.fill("");
  await expect(page).not.toHaveURL(/file=/);
  const client = await page.context().newCDPSession(page);
  await client.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
  await page.waitForTimeout(400);
  await client.send("Input.insertText", { text: "日本" });
  await expect(page).toHaveURL(`/records/${id}?file=${encodeURIComponent("日本")}#files`);
  await expect(field).toHaveValue("日本");
});

test("Back focuses the link that was followed, even if others have the same target", async ({ page, server }) => {
  const org = ownOrg("back");
  const { id } = await uploadRecord(server, { org_name: org, commit_hash: "b1" }, "50.00", {});
  const newer = await uploadRecord(server, { org_name: org, commit_hash: "b2" }, "75.00", {});
  await page.goto(`/records/${newer.id}`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  const links = page.locator(`main a[href="/records/${id}"]`);
  expect(await links.count(), "of the step to the older record and of the headline").toBeGreaterThanOrEqual(2);
  const left = page.getByTestId("headline").getByRole("link", { name: "commit b1" });
  await left.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/records/${id}`);
  await page.goBack();
  await expect(left).toBeFocused();
  await stillTheSame();
});

test("a link to a part of a page focuses it", async ({ page, server }) => {
  const org = ownOrg("part");
  await uploadRecord(server, { org_name: org, commit_hash: "p1" }, "75.00", {});
  await uploadRecord(server, { org_name: org, commit_hash: "p2" }, "50.00", {});
  await page.goto(`/repos/${org}/parking?tab=history`);
  await hydrated(page);
  await page.locator("main a[href$='#moved']").click();
  await expect(page).toHaveURL(/#moved$/);
  await page.keyboard.press("Tab");
  const reasons = page.getByRole("region", { name: "Why the coverage changed" });
  await expect(reasons.getByRole("link").first()).toBeFocused();
});

test("Escape hides the exact time shown on hover", async ({ page, server }) => {
  const org = ownOrg("escape");
  await uploadRecord(server, { org_name: org });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  const exact = page.getByRole("row").filter({ hasText: "parking" }).locator(".exact");
  await page.locator(".age").last().hover();
  await expect(exact).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(exact).toBeHidden();
});

test("typing filters the overview at once and adds one history entry", async ({ page, server }) => {
  const org = ownOrg("typing");
  for (const repo_name of ["alpha", "beta"]) await uploadRecord(server, { org_name: org, repo_name }, "50.00", {});
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  await nameFilter(page).press("End");
  await nameFilter(page).pressSequentially("/al");
  await expect(page.getByRole("rowheader")).toHaveCount(1);
  await expect(page.locator("#announcement"), "the number of results is announced").toContainText("1 repository");
  await expect(page).toHaveURL(`/?keyword=${encodeURIComponent(`${org}/al`)}`);
  await expect(nameFilter(page)).toBeFocused();
  await nameFilter(page).pressSequentially("pha");
  await expect(page).toHaveURL(`/?keyword=${encodeURIComponent(`${org}/alpha`)}`);
  await expect(nameFilter(page)).toHaveValue(`${org}/alpha`);
  await nameFilter(page).press("Enter");
  await page.goBack();
  await expect(page).toHaveURL(`/?keyword=${org}`);
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await stillTheSame();
});

test("a click with a modifier, a download and a report are left to the browser", async ({ page, context, server }) => {
  const org = ownOrg("modified");
  await uploadRecord(server, { org_name: org, repo_name: "parking" });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "parking", exact: true }).click({ modifiers: ["ControlOrMeta"] }),
  ]);
  await expect(tab).toHaveURL(`/repos/${org}/parking`);
  await stillTheSame();
  await page.getByRole("link", { name: `HTML report of ${org}/parking` }).click();
  await expect(page).toHaveURL(/\/reports\/\d+\//);
});

test.describe("without an answer", () => {
  test.use({ expectedConsole: /ERR_FAILED|Failed to fetch|ERR_INTERNET_DISCONNECTED/ });

  test("a page that fails to load says so, keeps the old content and offers a retry", async ({ page, server }) => {
    const org = ownOrg("lost");
    await uploadRecord(server, { org_name: org, repo_name: "parking" });
    await page.goto(`/?keyword=${org}`);
    await hydrated(page);
    await page.route(`**/repos/${org}/parking`, (route) => route.abort());
    await page.getByRole("link", { name: "parking", exact: true }).click();
    const notice = page.getByRole("alert").filter({ hasText: "did not answer" });
    await expect(notice).toBeVisible();
    await expect(page).toHaveURL(`/?keyword=${org}`);
    await expect(page.getByRole("link", { name: "parking", exact: true })).toBeVisible();
    await page.unroute(`**/repos/${org}/parking`);
    await notice.getByRole("link", { name: "Try again" }).click();
    await expect(page).toHaveURL(`/repos/${org}/parking`);
    await expect(notice).toBeHidden();
  });
});

test("of two links clicked in a row the last page is shown", async ({ page, server }) => {
  const org = ownOrg("twice");
  for (const repo_name of ["slow", "quick"]) await uploadRecord(server, { org_name: org, repo_name });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(`**/repos/${org}/slow`, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  // Both clicks happen in the browser: after one second without an answer the skeleton hides the links.
  const busy = await page.getByRole("main").evaluate((main) => {
    const link = (name: string) => [...main.querySelectorAll("a")].find((a) => a.textContent?.trim() === name)!;
    const [slow, quick] = [link("slow"), link("quick")];
    slow.click();
    const busy = main.getAttribute("aria-busy");
    quick.click();
    return busy;
  });
  expect(busy).toBe("true");
  await expect(page).toHaveURL(`/repos/${org}/quick`);
  answer();
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "false");
  await expect(page).toHaveTitle(`${org}/quick · Coverage`);
});

test("a slow page shows a skeleton, a slow choice of a card only its card, and nothing shifts", async ({ page, server }) => {
  const org = ownOrg("sketch");
  await uploadRecord(server, { org_name: org, repo_name: "parking" });
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) (window as any).shift += (entry as any).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(`**/repos/${org}/parking`, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("link", { name: "parking", exact: true }).click();
  const sketch = () => page.getByRole("main").evaluate((main) => getComputedStyle(main, "::before").visibility);
  await expect.poll(sketch).toBe("visible");
  answer();
  await expect(page).toHaveURL(`/repos/${org}/parking`);
  expect(await page.getByRole("main").evaluate((main) => getComputedStyle(main, "::before").content)).toBe("none");
  expect(await page.evaluate(() => (window as any).shift)).toBeLessThanOrEqual(budget["cumulative layout shift"]);

  const heldAgain = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/range=7d/, async (route) => {
    await heldAgain;
    await route.continue();
  });
  await page.getByRole("link", { name: /^7 d/ }).click();
  await expect(page.locator(".card[aria-busy=true]").getByRole("heading", { name: "Trend" })).toBeVisible();
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "false");
  answer();
  await expect(page).toHaveURL(/range=7d/);
  await expect(page.locator(".card[aria-busy]")).toHaveCount(0);
});

test("a page of another release is loaded with a full reload", async ({ page, server }) => {
  const org = ownOrg("release");
  await uploadRecord(server, { org_name: org, repo_name: "parking" });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  await page.evaluate(() => {
    document.documentElement.dataset.build = "an older one";
    Object.assign(window, { marker: true });
  });
  await page.getByRole("link", { name: "parking", exact: true }).click();
  await expect(page).toHaveTitle(`${org}/parking · Coverage`);
  expect(await page.evaluate(() => "marker" in window)).toBe(false);
});

test("a name with markup stays text in the title on every way to its page", async ({ page, server }) => {
  const org = ownOrg("markup");
  const commit_author = `A & B</title><meta http-equiv=refresh content="0;url=/setup"><p id=main><b id=planted>`;
  const { id } = await uploadRecord(server, { org_name: org, commit_author });
  const title = `${commit_author} · Coverage`;
  await page.goto(`/records/${id}`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  await page.getByRole("link", { name: commit_author }).first().click();
  await expect(page).toHaveTitle(title);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(commit_author);
  await expect(page.locator("#planted")).toHaveCount(0);
  await stillTheSame();
  await page.reload();
  await hydrated(page);
  await expect(page).toHaveTitle(title);
  await expect(page.locator("#planted")).toHaveCount(0);
});

test("the target of a link outside the dashboard never becomes part of a page", async ({ page, server }) => {
  const org = ownOrg("led-away");
  await page.goto("/");
  const build = await page.locator("html").getAttribute("data-build");
  // A report that claims to be a page of this release.
  const planted = `<!DOCTYPE html><html data-build="${build}"><title>x</title><main id="main"><h1 id="planted">Planted</h1></main></html>`;
  const { id } = await uploadRecord(server, { org_name: org }, "50.00", { "index.html": planted });
  await page.goto(`/?keyword=${org}`);
  await hydrated(page);
  await page.route(`**/repos/${org}/parking`, (route) =>
    route.request().resourceType() === "fetch"
      ? route.fulfill({ status: 302, headers: { location: `/reports/${id}/` } })
      : route.continue(),
  );
  const request = page.waitForRequest((request) => request.resourceType() === "fetch" && request.url().includes(`/repos/${org}/parking`));
  await page.getByRole("link", { name: "parking", exact: true }).click();
  await request;
  // The browser navigates to the address of the link.
  await expect(page).toHaveTitle(`${org}/parking · Coverage`);
  await expect(page).toHaveURL(`/repos/${org}/parking`);
  await expect(page.locator("#planted")).toHaveCount(0);
});
