using System.Globalization;
using BufferedMessages.Hosting;
using Microsoft.AspNetCore.Diagnostics.HealthChecks;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace BufferedMessages.Samples.Service;

/// <summary>The process that takes orders over HTTP and publishes them. It needs no worker: orders wait in the queue.</summary>
internal static class Api
{
    private const string DefaultAddress = "http://localhost:5080";

    public static int Run(string[] args)
    {
        var builder = WebApplication.CreateBuilder(args);
        if (builder.Configuration["urls"] is null)
        {
            builder.WebHost.UseUrls(DefaultAddress);
        }

        builder.AddOrdersQueue("api").AddPublisher<Order>();
        var app = builder.Build();
        MapOrders(app);
        MapDeadLetters(app, OrdersQueue.FolderOf(builder.Configuration));
        app.MapHealthChecks("/health", new HealthCheckOptions { ResponseWriter = WriteAsync });
        app.Run();
        return 0;
    }

    private static void MapOrders(WebApplication app)
    {
        app.MapPost("/orders", static (NewOrder order, MessagePublisher<Order> publisher) =>
        {
            var id = Guid.CreateVersion7();
            publisher.Publish(new Order(id, order.Article, order.Quantity));
            return Results.Accepted(value: new { id });
        });
        app.MapGet("/queue", static ([FromKeyedServices(OrdersQueue.Name)] MessageQueue queue) =>
        {
            var statistics = queue.GetStatistics();
            return statistics.Consumers.Select(static consumer => new
            {
                consumer.Name,
                unreadBytes = consumer.LagBytes,
                workers = consumer.Members.Count(static member => member.IsAlive),
            });
        });
    }

    private static void MapDeadLetters(WebApplication app, string folder)
    {
        app.MapGet("/dead", () =>
        {
            using var letters = DeadLetterQueue.Open(folder, OrdersQueue.Shipping);
            return letters.List();
        });
        app.MapPost("/dead/{position:long}/requeue", (long position) =>
        {
            using var letters = DeadLetterQueue.Open(folder, OrdersQueue.Shipping);
            return letters.Requeue(position) ? Results.NoContent() : NotFound(position);
        });
        app.MapDelete("/dead/{position:long}", (long position) =>
        {
            using var letters = DeadLetterQueue.Open(folder, OrdersQueue.Shipping);
            return letters.Drop(position) ? Results.NoContent() : NotFound(position);
        });
    }

    private static IResult NotFound(long position) => Results.Problem(
        string.Create(CultureInfo.InvariantCulture, $"No dead letter was found at {position}. It may have been requeued or dropped already."), statusCode: StatusCodes.Status404NotFound);

    private static Task WriteAsync(HttpContext context, HealthReport report) => context.Response.WriteAsJsonAsync(new
    {
        status = report.Status.ToString(),
        checks = report.Entries.ToDictionary(static entry => entry.Key, static entry => new { status = entry.Value.Status.ToString(), entry.Value.Description }),
    });
}
