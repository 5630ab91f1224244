import { openApi } from '../../src/sandbox/interface/openapi.ts';
import { interfacePage } from '../../src/sandbox/interface/page.ts';
import type { Json } from '../../src/sandbox/json.ts';
import { writeJson } from '../../src/sandbox/json.ts';
import { createVersion1 } from '../../src/sandbox/versions/v1.ts';
import { createVersion3 } from '../../src/sandbox/versions/v3.ts';
import { createVersion4 } from '../../src/sandbox/versions/v4.ts';

/** The versions that the sandbox serves, as the gateway is told of them. */
export const versions = [createVersion4(), createVersion3(), createVersion1()];

/** The files of docs/interface as they are to be. */
export function interfaceFiles(): { path: string; text: string }[] {
  return versions.flatMap((version) => {
    const name = `docs/interface/v${version.version}`;
    return [
      { path: `${name}.json`, text: `${indented(openApi(version))}\n` },
      { path: `${name}.md`, text: interfacePage(version) },
    ];
  });
}

/** JSON with a member on each line; what holds nothing more than values stays on one. */
function indented(value: Json, margin = ''): string {
  const flat = writeJson(value);
  if (flat.length + margin.length <= 100 || typeof value !== 'object' || value === null) return flat;
  const deeper = `${margin}  `;
  const isList = Array.isArray(value);
  const lines = Object.entries(value).flatMap(([name, member]: [string, Json | undefined]) =>
    member === undefined
      ? []
      : [`${deeper}${isList ? '' : `${JSON.stringify(name)}: `}${indented(member, deeper)}`],
  );
  return `${isList ? '[' : '{'}\n${lines.join(',\n')}\n${margin}${isList ? ']' : '}'}`;
}
