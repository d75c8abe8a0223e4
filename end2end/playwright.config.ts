import { defineConfig, devices } from "@playwright/test";

// No webServer here: every worker starts its own server (fixtures/server.ts).
export default defineConfig({
  testDir: "tests",
  forbidOnly: !!process.env.CI,
  fullyParallel: false,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  // Two workers, two servers and two browsers share two cores.
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    trace: "retain-on-failure",
  },
  projects: [
    {
      name: "chromium",
      use: {
        ...devices["Desktop Chrome"],
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
    },
  ],
});
