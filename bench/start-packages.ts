import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/* `node --import` this: writes the address of each package that the program itself imports into the file that PACKAGES names. */

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isOurs = context.parentURL?.includes('/node_modules/') === false;
    if (isOurs && found.url.includes('/node_modules/'))
      appendFileSync(process.env['PACKAGES'] ?? '', `${found.url}\n`);
    return found;
  },
});
