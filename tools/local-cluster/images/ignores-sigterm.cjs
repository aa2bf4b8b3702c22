// A model server that does not stop when it is asked to.
const answers = {
  '/health': () => '',
  '/v1/chat/completions': () =>
    JSON.stringify({
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'still here' }, finish_reason: 'stop' }],
    }),
};
const server = require('node:http').createServer((request, response) => {
  const answer = answers[request.url];
  request.resume();
  response.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' });
  response.end(answer ? answer() : '{}');
});
const port = Number(process.env.PORT || 8000);
server.listen(port, () => console.log(`listening on port ${port}, deaf to SIGTERM`));
process.on('SIGTERM', () => console.log('SIGTERM ignored'));
