// The overview in the browser: its address is its state.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { coverageXml, ownOrg, uploadRecord, uploadRepositories } from "../fixtures/data";
import { hydrated, sameDocument, searchBox } from "../fixtures/page";
import { expect, test } from "../fixtures/test";
import { tar } from "../fixtures/upload";

test("a search stands in the address, and Back, Forward and Reload restore what it found", async ({ page, server }) => {
  const org = ownOrg("search");
  await uploadRecord(server, { org_name: org, repo_name: "alpha" });
  await uploadRecord(server, { org_name: org, repo_name: "beta" });
  const rows = page.getByRole("rowheader");

  await page.goto(`/?q=${org}`);
  await hydrated(page);
  await expect(rows).toHaveCount(2);
  const stillTheSame = await sameDocument(page);

  await searchBox(page).fill(`${org}/B`);
  await searchBox(page).press("Enter");
  await expect(rows).toHaveText(["betapython"]);
  const found = `/?q=${encodeURIComponent(`${org}/B`)}`;
  await expect(page).toHaveURL(found);
  await expect(page.getByRole("status")).toHaveText(`1 repository with “${org}/B”`);

  await page.goBack();
  await expect(rows).toHaveCount(2);
  await expect(searchBox(page)).toHaveValue(org);
  await page.goForward();
  await expect(rows).toHaveText(["betapython"]);
  await expect(searchBox(page)).toHaveValue(`${org}/B`);
  await stillTheSame();

  await page.reload();
  await expect(page).toHaveURL(found);
  await expect(rows).toHaveText(["betapython"]);
  await expect(searchBox(page)).toHaveValue(`${org}/B`);
});

test("a search that finds nothing says so and leads back to all", async ({ page, server }) => {
  const org = ownOrg("nothing");
  await uploadRecord(server, { org_name: org });
  await page.goto("/");
  await hydrated(page);
  const keyword = `<i>${org}</i> & "more"`;
  await searchBox(page).fill(keyword);
  await searchBox(page).press("Enter");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await expect(page.getByRole("main").getByText(keyword, { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page).toHaveURL("/");
  await expect(searchBox(page)).toHaveValue("");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeHidden();
});

test("what was typed before the page hydrates is kept", async ({ page }) => {
  let load = () => {};
  const asked = new Promise<void>((resolve) => (load = resolve));
  await page.route("**/*.wasm", async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  await searchBox(page).fill("typed early");
  load();
  await hydrated(page);
  await expect(searchBox(page)).toHaveValue("typed early");
});

test("pages are turned by keyboard, begin at their top and survive a reload", async ({ page, server }) => {
  const org = ownOrg("keys");
  await uploadRepositories(server, org, 51);
  const rows = page.getByRole("rowheader");
  await page.goto(`/?q=${org}`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);

  await page.getByRole("link", { name: "Next" }).press("Enter");
  await expect(rows).toHaveText(["repo-50python"]);
  await expect(page).toHaveURL(`/?q=${org}&p=2`);
  await page.getByRole("link", { name: "Previous" }).press("Enter");
  await expect(rows).toHaveCount(50);
  await expect(page).toHaveURL(`/?q=${org}`);
  await page.getByRole("link", { name: "Next" }).press("Enter");
  await expect(rows).toHaveCount(1);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await stillTheSame();

  await page.reload();
  await expect(rows).toHaveText(["repo-50python"]);
});

test("an empty service shows a command that uploads as it stands", async ({ page, ownServer }) => {
  await page.goto(ownServer.url);
  const command = await page.locator("pre").innerText();
  const folder = await mkdtemp(join(tmpdir(), "coverage-e2e-paste-"));
  await writeFile(join(folder, "coverage.tar.gz"), gzipSync(tar({ "coverage.xml": coverageXml("75.00") })));
  // In place of the repository that the command would stand in.
  const git = "git() { echo c0ffee1; }";
  await promisify(execFile)("bash", ["-c", `${git}\n${command}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, USER: "kim", TOKEN: ownServer.token },
  });
  await rm(folder, { recursive: true });

  await page.reload();
  await expect(page.getByTestId("org")).toContainText("75.00");
  await expect(page.getByRole("heading", { name: "Waiting for the first upload" })).toBeHidden();
});
