# A local EVM for trials, from its npm package.
FROM node:24.21.0-bookworm-slim
WORKDIR /anvil
RUN npm init --yes && npm install --ignore-scripts --no-audit @foundry-rs/anvil@1.7.1 \
  && ln -s /anvil/node_modules/@foundry-rs/anvil-linux-*/bin/anvil /usr/local/bin/anvil
COPY health.js /health.js
USER 10001:10001
CMD ["anvil", "--host", "0.0.0.0", "--silent"]
