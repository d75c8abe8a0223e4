import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// No tests: pictures for people, taken by scripts/screenshots.sh.
export default defineConfig({ ...tests, testDir: "screenshots", testMatch: /.*\.shots\.ts/, fullyParallel: true, reporter: [["line"]] });
