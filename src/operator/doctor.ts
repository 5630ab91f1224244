import manifest from '../../package.json' with { type: 'json' };
import { readSettings, secretsOf, type Environment } from '../app/settings.ts';
import { checkTryRoles } from '../app/try-mode.ts';
import type { Config } from '../process/config.ts';
import { createLogger } from '../process/log.ts';
import { migrationsFolder } from '../storage/database/migrations-folder.ts';
import { compareClocks } from './doctor/clocks.ts';
import { examineDatabase } from './doctor/database.ts';
import { refusal, well, type Examined, type Finding } from './doctor/finding.ts';
import { examineGateway } from './doctor/gateway.ts';
import { examineFolder, examinePort, examineProxy } from './doctor/machine.ts';
import { examineTelegram } from './doctor/telegram.ts';
import { say } from './operator-tool.ts';

const NOTHING: Examined = { findings: [] };

/**
 * `peyk doctor`: looks at all that a start needs and a Peyk meets, a line each, and changes nothing of it.
 * @returns 0 where it can run, else the exit code that the start would have
 */
export async function doctor(env: Environment): Promise<number> {
  say(`peyk ${manifest.version}   ✓ well   ! it runs, but look at this   ✗ it cannot run like this\n`);
  let config: Config;
  try {
    config = readSettings(env);
    if (config.mode === 'try') checkTryRoles(config);
  } catch (error) {
    const code = tell(refusal('settings', error), (text) => text);
    say('\nThe rest was not looked at: it depends on these.');
    return code ?? 0;
  }
  const secrets = secretsOf(config);
  const log = createLogger({ level: 'silent', pretty: false, secrets });
  const { token } = config.telegram;
  const [database, telegram, gateway, proxy, port] = await Promise.all([
    examineDatabase({ config, log, secrets, migrations: migrationsFolder() }),
    token === null ? NOTHING : examineTelegram(config, token),
    examineGateway(config),
    token === null ? [] : examineProxy(config),
    token === null ? [] : examinePort(config, log),
  ]);
  const clock = compareClocks([database, telegram, gateway].flatMap(({ clocks = [] }) => clocks));
  // In the order in which the start would come upon them.
  const findings = [
    well('settings', summary(config)),
    ...examineFolder(config),
    ...database.findings,
    ...proxy,
    ...telegram.findings,
    ...port,
    ...gateway.findings,
    ...(clock === null ? [] : [clock]),
  ];
  const code = tell(findings, (text) => secrets.scrub(text));
  say(
    code === null ? '\nIt can run.' : `\nIt cannot run like this: the start would end with ${code}, or wait.`,
  );
  return code ?? 0;
}

function summary({ mode, roles, telegram }: Config): string {
  if (mode === 'try')
    return 'no TELEGRAM_BOT_TOKEN, so this is try mode: chat and gateway come along, and Telegram is not asked';
  const way = telegram.webhook === null ? 'long polling' : 'webhook';
  return `a bot token, ${way}, roles ${roles.join(', ')}`;
}

/** Tells all of it. Returns the exit code of the first that keeps Peyk from running; null: none does. */
function tell(findings: readonly Finding[], scrub: (text: string) => string): number | null {
  for (const { mark, what, seen } of findings)
    say(
      scrub(
        `${mark} ${what.padEnd(11)} ${seen.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')}.`.replace(
          /([.?!])\.$/u,
          '$1',
        ),
      ),
    );
  return findings.find(({ mark }) => mark === '✗')?.exitCode ?? null;
}
