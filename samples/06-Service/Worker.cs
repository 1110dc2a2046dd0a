using System.Globalization;

namespace BufferedMessages.Samples.Service;

/// <summary>The process that handles orders. Several of them share the work.</summary>
internal static class Worker
{
    public static int Run(string[] args)
    {
        var builder = Host.CreateApplicationBuilder(args);
        var concurrency = int.Parse(builder.Configuration["concurrency"] ?? "2", CultureInfo.InvariantCulture);
        builder.Services.AddSingleton<Warehouse>();
        builder.AddOrdersQueue("worker").AddHandler<OrderBufferedMessage, Shipping>(OrdersQueue.Shipping, handler =>
        {
            handler.Concurrency = concurrency;
            handler.RetryDelays = [TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(500)];
        });
        builder.Build().Run();
        return 0;
    }
}
