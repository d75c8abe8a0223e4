// Two records side by side: from a branch to its changes against main, with lists, with fields and without scripts.
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, sidewaysScroll } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

test("a branch's change links to its comparison with its base, where records can be chosen and swapped", async ({ page, server }) => {
  const org = ownOrg("side-by-side");
  const old = await uploadRecord(server, { org_name: org, commit_hash: "m1" }, "61.11");
  const main = await uploadRecord(server, { org_name: org, commit_hash: "m2" }, "75.00");
  const branch = await uploadRecord(server, { org_name: org, branch_name: "fix/gate 🚀", commit_hash: "g1" }, "50.00");
  const [base, head] = [page.getByRole("combobox", { name: "Base" }), page.getByRole("combobox", { name: "Head" })];
  const headline = page.getByTestId("headline");

  await page.goto(`/repos/${org}/parking?tab=branches`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  await page.getByTitle("Compare fix/gate 🚀 with its base").click();
  await expect(page.getByRole("heading", { name: "Compare", level: 1 })).toBeVisible();
  await expect(headline).toContainText("−25.00");
  await expect(base).toHaveValue(String(main.id));
  await expect(head).toHaveValue(String(branch.id));
  await expect(page.getByRole("region", { name: "Why the coverage changed" })).toContainText("−25.00:");
  await expect(page.getByRole("region", { name: "What was counted" }).getByRole("row", { name: /Lines/ })).toContainText("−25.00");

  await page.getByRole("link", { name: "Swap" }).click();
  await expect(headline).toContainText("+25.00");
  await expect(page).toHaveURL(`/compare?base=${branch.id}&head=${main.id}`);
  await base.selectOption(String(old.id));
  await expect(headline).toContainText("+13.89");
  await expect(page).toHaveURL(`/compare?base=${old.id}&head=${main.id}`);
  await page.goBack();
  await expect(headline).toContainText("+25.00");
  await stillTheSame();
  await headline.getByRole("listitem").filter({ hasText: "Head" }).getByRole("link", { name: "m2", exact: true }).click();
  await expect(page).toHaveURL(`/records/${main.id}`);
});

test("the page of a record links to its comparison, and that of the first record to a choice", async ({ page, server }) => {
  const org = ownOrg("from-record");
  const first = await uploadRecord(server, { org_name: org, commit_hash: "m1" }, "61.11");
  const second = await uploadRecord(server, { org_name: org, commit_hash: "m2" }, "75.00");
  await page.goto(`/records/${second.id}`);
  await page.getByRole("link", { name: "Compare…" }).click();
  await expect(page).toHaveURL(`/compare?base=${first.id}&head=${second.id}`);
  await expect(page.getByTestId("headline")).toContainText("+13.89");
  await page.goto(`/records/${first.id}`);
  await page.getByRole("link", { name: "Choose a record" }).click();
  await expect(page.getByRole("combobox", { name: "Base" })).toHaveValue("");
  await page.getByRole("combobox", { name: "Base" }).selectOption(String(second.id));
  await expect(page.getByTestId("headline")).toContainText("−13.89");
});

test("a record of another repository can be named, and the other side stays", async ({ page, server }) => {
  const org = ownOrg("others");
  const here = await uploadRecord(server, { org_name: org, commit_hash: "m1" }, "61.11");
  await uploadRecord(server, { org_name: org, repo_name: "elsewhere", commit_hash: "e1" }, "75.00");
  await page.goto(`/compare?head=${here.id}`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  await page.getByRole("link", { name: "Other repository…" }).click();
  await expect(page.getByRole("textbox", { name: "Head" })).toHaveValue(String(here.id));
  await page.getByRole("textbox", { name: "Base" }).fill(`${org}/elsewhere@main`);
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByTestId("headline")).toContainText("−13.89");
  await expect(page.getByRole("combobox", { name: "Head" })).toHaveValue(String(here.id));
  await stillTheSame();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("records are named in fields or chosen in lists, with a button", async ({ page, server }) => {
    const org = ownOrg("fields");
    const first = await uploadRecord(server, { org_name: org, commit_hash: "m1" }, "61.11");
    await uploadRecord(server, { org_name: org, commit_hash: "m2" }, "75.00");
    await page.goto("/compare");
    await page.getByRole("textbox", { name: "Base" }).fill(`${server.url}/records/${first.id}?view=flat`);
    await page.getByRole("textbox", { name: "Head" }).fill(`${org}/parking@main`);
    await page.getByRole("button", { name: "Compare" }).click();
    await expect(page.getByTestId("headline")).toContainText("+13.89");
    await page.getByRole("combobox", { name: "Head" }).selectOption(String(first.id));
    await page.getByRole("button", { name: "Compare" }).click();
    await expect(page.getByText("Base and head are the same record.")).toBeVisible();
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 800 } });

  test("long names fit", async ({ page, server }) => {
    const org = ownOrg("narrow");
    const branch_name = `feature/${"a-very-long-name-".repeat(12)}end`;
    await uploadRecord(server, { org_name: org }, "75.00");
    const { id } = await uploadRecord(server, { org_name: org, branch_name }, "50.00");
    await page.goto(`/compare?base=${org}/parking@main&head=${id}`);
    await hydrated(page);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    await expect(page.getByTestId("headline")).toContainText("−25.00");
  });
});
