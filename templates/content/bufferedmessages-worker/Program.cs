using WorkerNamespace1;

var builder = Host.CreateApplicationBuilder(args);

// The queue is a folder. Other processes that name the same folder share it: publishers and handlers can move to programs of their own.
builder.Services.AddMessageQueue("orders", queue => queue.Directory = builder.Configuration["Queues:Orders"] ?? "data/orders")
    .AddPublisher<Order>()
    .AddHandler<OrderBufferedMessage, OrderHandler>("shipping", handler => handler.Concurrency = 2);
builder.Services.AddHealthChecks().AddMessageQueues();
builder.Services.AddHostedService<OrderSource>();

builder.Build().Run();
