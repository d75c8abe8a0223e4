// Colour-blind people can distinguish the colours of the coverage scale and of chart lines.
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test";

type Triple = [number, number, number];

// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.
const sight: Record<string, Triple[]> = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** People see a difference of about 2.3 between adjacent colours. This larger one is for marks that are apart. */
const LEAST = 15;

const times = (rows: Triple[], v: Triple) => rows.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Triple;

/** sRGB to CIE L*a*b* (D65) after IEC 61966-2-1 and ISO 11664-4, as seen with `eyes`. */
function lab(rgb: Triple, eyes: Triple[]): Triple {
  const linear = rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as Triple;
  const seen = times(eyes, linear).map((c) => Math.min(1, Math.max(0, c))) as Triple;
  const xyz = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], seen);
  const [x, y, z] = [xyz[0] / 0.95047, xyz[1], xyz[2] / 1.08883].map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function colours(page: Page, tokens: string[]): Promise<Triple[]> {
  return page.evaluate((tokens) => {
    const element = document.body.appendChild(document.createElement("i"));
    const read = (token: string) => {
      element.style.color = `var(--${token})`;
      return getComputedStyle(element).color.match(/\d+/g)!.slice(0, 3).map(Number) as [number, number, number];
    };
    return tokens.map(read);
  }, tokens);
}

for (const colorScheme of ["light", "dark"] as const)
  test(`colours differ for every kind of colour vision, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    for (const tokens of [["high", "mid", "low"], Array.from({ length: 8 }, (_, line) => `series-${line + 1}`)]) {
      const all = await colours(page, tokens);
      for (const [kind, eyes] of Object.entries(sight))
        for (let a = 0; a < all.length; a++)
          for (let b = a + 1; b < all.length; b++) {
            const [one, other] = [lab(all[a], eyes), lab(all[b], eyes)];
            const difference = Math.hypot(...one.map((value, index) => value - other[index]));
            expect.soft(difference, `${tokens[a]} and ${tokens[b]} with ${kind}`).toBeGreaterThan(LEAST);
          }
    }
  });
