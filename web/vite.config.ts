// How the page is built: one script and one style sheet, named by their content, without an HTML file of their own.
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: true,
    rollupOptions: {
      input: { app: "src/app.tsx" },
      output: {
        entryFileNames: "assets/app.[hash].js",
        assetFileNames: "assets/app.[hash][extname]",
        codeSplitting: false,
      },
    },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: { include: ["src/**/*.test.ts"] },
} as never);
