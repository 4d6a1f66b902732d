// Chromium, without a window, as somebody uses it: a JSON line with the KPI of each page or film.
//
//   node browser.cjs FOLDER_OF_PROFILES page URL
//   node browser.cjs FOLDER_OF_PROFILES film URL PLAYER_SCRIPT SEGMENTS
//
// NODE_PATH has puppeteer-core. What is not whole, a picture that is not shown or a film that ends early, is an error and no figure.
"use strict";
const fs = require("fs");
const path = require("path");
const puppeteer = require("puppeteer-core");

const PROGRAM = "chromium-headless-shell";
// A line may be slow, and a machine busy: who started this says how long is too long.
const PATIENTLY = { timeout: 0, protocolTimeout: 0 };
const PAUSE_MS = 100;

/** A page that has not been opened before: connections and cache are new, as is the context. */
async function visited(browser, url) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "load", timeout: 0 });
  const seen = await page.evaluate(async () => {
    const [navigation] = performance.getEntriesByType("navigation");
    while (!navigation.loadEventEnd) await new Promise((resume) => setTimeout(resume, 10));
    const bytes = performance.getEntriesByType("resource").reduce((sum, one) => sum + one.encodedBodySize, navigation.encodedBodySize);
    const blank = [...document.images].filter((one) => !one.naturalWidth).length;
    return { seconds: navigation.loadEventEnd / 1000, bytes, blank, wanted: Number(document.body.dataset.bytes) };
  });
  await context.close();
  if (seen.blank || seen.bytes !== seen.wanted) throw new Error(`the page has ${seen.bytes} of ${seen.wanted} bytes, and ${seen.blank} blank pictures`);
  return { pageLoadS: seen.seconds };
}

/** A film until its last segment has come; what counts is the level of each segment but the first, which is asked for before anything is known. */
async function watched(browser, url, script, segments) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const failed = new Promise((_, reject) => page.exposeFunction("failed", (why) => reject(new Error(why))));
  await page.goto(url, { waitUntil: "load", timeout: 0 });
  // The player's script comes from this machine: it is not what the film's line is measured by.
  await page.addScriptTag({ path: script });
  const levels = await Promise.race([page.evaluate((count) => window.watch(count), segments), failed]);
  await context.close();
  const counted = levels.slice(1);
  return { meanLevel: counted.reduce((sum, one) => sum + one, 0) / counted.length };
}

async function main(profiles, what, url, script, segments) {
  const browser = await puppeteer.launch({
    executablePath: process.env.PATH.split(":").map((folder) => path.join(folder, PROGRAM)).find((file) => fs.existsSync(file)),
    // It ends when this process does, as its pipe ends then.
    pipe: true, ...PATIENTLY, userDataDir: fs.mkdtempSync(path.join(profiles, "browser-")),
    args: ["--no-sandbox", "--disable-gpu", "--no-proxy-server", "--disable-background-networking", "--disable-dev-shm-usage", "--mute-audio", "--autoplay-policy=no-user-gesture-required"],
  });
  try {
    for (;;) {
      const kpis = what === "page" ? await visited(browser, url) : await watched(browser, url, script, Number(segments));
      console.log(JSON.stringify(kpis));
      await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    }
  } finally {
    await browser.close();
  }
}

main(...process.argv.slice(2)).catch((problem) => {
  console.error(String(problem && problem.message || problem));
  process.exit(1);
});
