// Bundles the page into dist/; `node build.mjs test` bundles and runs the unit tests instead.
import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => join(here, ...parts);

/** mqtt.js is written for Node: these parts of it weigh more than our page and do nothing in a browser. */
const light = {
  debug: at("src/light/debug.cjs"),
  "lru-cache": at("src/light/lru.ts"),
  "worker-timers": at("src/light/timers.ts"),
};

/** mqtt.js reads only the version out of its package file; the rest names hosts and tools nobody needs here. */
const lean = {
  name: "lean",
  setup(build) {
    build.onLoad({ filter: /mqtt[\\/]package\.json$/ }, async ({ path }) => {
      const { name, version } = JSON.parse(await readFile(path, "utf-8"));
      return { contents: JSON.stringify({ name, version }), loader: "json" };
    });
  },
};

async function page(out) {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await esbuild.build({
    absWorkingDir: here,
    entryPoints: [
      { in: at("src/main.ts"), out: "page" },
      { in: at("style.css"), out: "page" },
      { in: at("src/later/main.ts"), out: "later/page" },
      { in: at("src/hall/main.ts"), out: "hall/page" },
      { in: at("src/hall/hall.css"), out: "hall/page" },
    ],
    outdir: out,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2020", "chrome100", "firefox100", "safari15"],
    platform: "browser",
    define: { "process.env.NODE_ENV": '"production"', global: "globalThis" },
    inject: [at("src/light/node.ts")],
    alias: light,
    plugins: [lean],
    loader: { ".woff2": "copy" },
    assetNames: "[name]",
    legalComments: "linked",
    logLevel: "warning",
  });
  await copyFile(at("index.html"), join(out, "index.html"));
  await copyFile(at("hall.html"), join(out, "hall", "index.html"));
  for (const name of await readdir(at("fonts"))) {
    if (name.endsWith(".txt")) await copyFile(at("fonts", name), join(out, name));
  }
}

async function tests() {
  const out = await mkdtemp(join(tmpdir(), "phone-tests-"));
  const files = (await readdir(at("test"))).filter((name) => name.endsWith(".test.ts"));
  try {
    await esbuild.build({
      absWorkingDir: here,
      entryPoints: files.map((name) => at("test", name)),
      outdir: out,
      bundle: true,
      format: "esm",
      platform: "node",
      outExtension: { ".js": ".mjs" },
      logLevel: "warning",
    });
    const names = (await readdir(out)).map((name) => join(out, name));
    return spawnSync(process.execPath, ["--test", ...names], { stdio: "inherit" }).status ?? 1;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

if (process.argv[2] === "test") process.exitCode = await tests();
else await page(process.argv[2] ?? at("dist"));
