import Stripe from 'stripe';

const { hostname: host, port } = new URL(process.env.ROLLCALL_BASE_URL);
const stripe = new Stripe(process.env.ROLLCALL_API_KEY, { protocol: 'http', host, port });
for await (const { id } of stripe.customers.list({ limit: 5 })) console.log(id);
