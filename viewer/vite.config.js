import { defineConfig } from 'vite';

// Three files with fixed names, which are embedded in the program.
export default defineConfig({
  base: '/',
  build: {
    outDir: 'dist',
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: 'viewer.js',
        assetFileNames: 'viewer[extname]',
      },
    },
  },
  server: { proxy: { '/api': { target: process.env.ABUT_VIEW ?? 'http://127.0.0.1:8080', changeOrigin: true } } },
});
