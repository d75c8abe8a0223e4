import { defineConfig, devices } from "@playwright/test";

// What people do most. `make test` runs these, `make test-all` the others.
const JOURNEYS = /\/(overview|repository|record|compare|parts|uploads|theme|without_scripts)\.spec\.ts$/;

// No webServer here: every worker starts its own server (fixtures/server.ts).
export default defineConfig({
  testDir: "tests",
  forbidOnly: !!process.env.CI,
  fullyParallel: false,
  retries: 0,
  // A test often waits for a page that has nothing to do, so three workers on two cores take less time than two, or four.
  workers: 3,
  timeout: 60_000,
  // All workers, servers and browsers share two cores.
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    trace: "retain-on-failure",
    launchOptions: {
      // scripts/test-tools.sh sets it if a Chromium is installed.
      executablePath: process.env.CHROMIUM_PATH || undefined,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "journeys", testMatch: JOURNEYS },
    { name: "pages", testIgnore: JOURNEYS },
  ],
});
