import { defineConfig } from 'vite'

export default defineConfig({
  // The page and its libraries share one React, wherever npm put them.
  resolve: { dedupe: ['react', 'react-dom'] },
  build: { target: 'es2022', sourcemap: true },
  server: { proxy: { '/session': 'http://127.0.0.1:5174' } },
})
