// LOGIN_ISSUER: a person logs in at an OpenID Connect issuer and reads the orgs of their groups.
import type { Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { uploadRecord } from "../fixtures/data";
import { startIssuer } from "../fixtures/issuer";
import { hydrated, sidewaysScroll } from "../fixtures/page";
import { freePort, type Server, startServer } from "../fixtures/server";
import { expect, test as base } from "../fixtures/test";

const test = base.extend<{ identity: "whole" | "short"; dashboard: Server }>({
  identity: ["whole", { option: true }],
  dashboard: async ({ context, identity }, use) => {
    const port = await freePort();
    const issuer = await startIssuer(port, identity);
    const dashboard = await startServer({
      "--addr": `127.0.0.1:${port}`,
      "--public-url": `http://127.0.0.1:${port}`,
      "--protect-reading": true,
      "--login-issuer": issuer.url,
      "--login-client-id": "coverage",
      "--login-client-secret": "s3cret",
      "--login-scopes": "openid email groups",
      "--read-orgs": "acme=payments",
    });
    await use(dashboard);
    await Promise.all(context.pages().map((page) => page.close()));
    await dashboard.stop();
    await issuer.stop();
  },
});
// Browsers report pages with a status other than 200, and that the page for a missing HTML report runs no scripts.
test.use({ expectedConsole: /status of 40[134]|document's frame is sandboxed/ });

const toIssuer = (page: Page) => page.getByRole("link", { name: "Log in with 127.0.0.1" });

/** Logs in at the issuer. */
async function logIn(page: Page, name: string): Promise<void> {
  await toIssuer(page).click();
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
}

for (const identity of ["whole", "short"] as const) {
  test.describe(identity === "whole" ? "groups in the identity" : "groups only when asked", () => {
    test.use({ identity });

    test("a person logs in, reads the org of a group and no other, and logs out", async ({ page, dashboard }) => {
      await uploadRecord(dashboard, {});
      const { id } = await uploadRecord(dashboard, { org_name: "labs", repo_name: "secret" });
      const address = `${dashboard.url}/repos/acme/parking?branch_name=main`;
      expect((await page.goto(address))?.status()).toBe(401);
      await expect(toIssuer(page)).toBeFocused();
      await logIn(page, "kim");
      await expect(page).toHaveURL(address);
      await hydrated(page);
      await expect(page.getByTestId("headline")).toContainText("75.00");
      await expect(page.getByText("Logged in as kim@example.com")).toBeVisible();

      await page.getByRole("link", { name: "Coverage", exact: true }).click();
      await expect(page.getByRole("row", { name: /parking/ })).toBeVisible();
      await expect(page.getByText("labs")).toHaveCount(0);
      for (const hidden of ["/repos/labs/secret", "/orgs/labs", `/records/${id}`, `/reports/${id}/`]) {
        expect.soft((await page.goto(dashboard.url + hidden))?.status(), hidden).toBe(404);
      }
      await page.goto(dashboard.url);
      await hydrated(page);
      await page.keyboard.press("/");
      await page.keyboard.type("secret");
      await expect(page.getByRole("option", { name: /secret/ }).filter({ hasText: "labs" })).toHaveCount(0);
      await page.keyboard.press("Escape");

      const cookies = await page.context().cookies(dashboard.url);
      await page.getByRole("button", { name: "Log out" }).click();
      await expect(toIssuer(page)).toBeVisible();
      await page.context().addCookies(cookies);
      expect((await page.goto(address))?.status(), "a copy of the cookie has ended too").toBe(401);
    });
  });
}

test("a person without a group that counts learns why", async ({ page, dashboard }) => {
  await page.goto(dashboard.url);
  await logIn(page, "lee");
  await expect(page.getByRole("alert")).toContainText("as lee@example.com, but none of your groups (staff) may read an org here");
  await expect(page).toHaveTitle(/Not logged in/);
});

test("someone who cancels at the issuer comes back to the login", async ({ page, dashboard }) => {
  await page.goto(dashboard.url);
  await toIssuer(page).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toContainText("(access_denied)");
  await expect(toIssuer(page)).toBeVisible();
});

test("a read token still works, behind the login at the issuer", async ({ page, dashboard }) => {
  const token = await dashboard.tokenCommand("create", "--name", "reader", "--for", "read");
  await page.goto(dashboard.url);
  await page.getByText("Use a read token").click();
  await page.getByLabel("Read token").fill("cov_wrong");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("alert"), "the form is open").toBeVisible();
  await page.getByLabel("Read token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
});

test("the long name of an issuer stays in its card", async ({ page }) => {
  const port = await freePort();
  const server = await startServer({
    "--addr": `127.0.0.1:${port}`,
    "--public-url": `http://127.0.0.1:${port}`,
    "--protect-reading": true,
    "--login-issuer": `https://sso.${"long-name-".repeat(6)}x.example.com`,
    "--login-client-id": "coverage",
  });
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${server.url}/login`);
    const right = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().right);
    expect(await right(".login > .btn"), `${width} px`).toBeLessThanOrEqual(await right(".login"));
    expect(await sidewaysScroll(page), `${width} px`).toBeLessThanOrEqual(0);
  }
  await page.close();
  await server.stop();
});

test("the long name of a person does not widen the page", async ({ page, dashboard }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(dashboard.url);
  await logIn(page, `kim-${"longname".repeat(10)}`);
  await expect(page.getByText("Logged in as kim-longname")).toBeVisible();
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

for (const width of [1280, 360]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("the login page with an issuer violates no WCAG 2.2 AA, and fits", async ({ page, dashboard }) => {
      const check = async (state: string) => {
        expect.soft(await violations(page), state).toEqual([]);
        expect.soft(await sidewaysScroll(page), state).toBeLessThanOrEqual(0);
      };
      await page.goto(dashboard.url);
      await check("at first");
      await page.getByText("Use a read token").click();
      await check("with the form");
      await page.goto(`${dashboard.url}/login/callback?error=access_denied`);
      await expect(page.getByRole("alert")).toBeVisible();
      await check("after a failure");
    });
  });
}
