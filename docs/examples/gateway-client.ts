import { Secret } from '../../src/domain/secret.ts';
import { createGateway } from '../../src/gateway/compose.ts';

const { GATEWAY_BASE_URL: baseUrl = '', GATEWAY_KEY: key = '' } = process.env;
const [line = '', recipient = '', text = ''] = process.argv.slice(2);

const gateway = createGateway({ baseUrl, credentials: { apiKey: new Secret(key) }, versions: [3, 4] });
const credit = await gateway.use('credit').credit();
const answer = await gateway.use('sending').send({ line, recipients: [recipient], text, flash: false });
const ids = answer.outcome === 'accepted' ? answer.messageIds.map(({ id }) => id) : [];
const status = await gateway.use('reports').status(ids);
await gateway.close();

process.stdout.write(`${JSON.stringify({ credit, answer, status })}\n`);
