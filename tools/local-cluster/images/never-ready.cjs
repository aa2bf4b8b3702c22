// A model server whose model never gets there: it answers, but 503 to all who ask for its health.
const server = require('node:http').createServer((request, response) => {
  response.writeHead(503, { 'Content-Type': 'text/plain' });
  response.end('the model is not loaded\n');
});
const port = Number(process.env.PORT || 8000);
server.listen(port, () => console.log(`listening on port ${port}, never ready`));
process.on('SIGTERM', () => process.exit(0));
