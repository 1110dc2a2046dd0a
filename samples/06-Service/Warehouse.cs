using System.Diagnostics;

namespace BufferedMessages.Samples.Service;

/// <summary>A warehouse, with two articles that show how a handler fails.</summary>
internal sealed partial class Warehouse(ILogger<Warehouse> log)
{
    private const string OutOfStock = "Anvil";
    private const string Explosive = "Dynamite";

    private static readonly TimeSpan PackingTime = TimeSpan.FromMilliseconds(20);

    /// <summary>Sends an order.</summary>
    /// <exception cref="InvalidOperationException">The article is out of stock.</exception>
    public async ValueTask SendAsync(Guid id, string? article, int quantity, int attempt, CancellationToken cancellationToken)
    {
        await Task.Delay(PackingTime, cancellationToken);
        if (article == OutOfStock)
        {
            throw new InvalidOperationException("Anvils are out of stock.");
        }

        if (article == Explosive)
        {
            Process.GetCurrentProcess().Kill();
        }

        Sent(log, quantity, article, id, attempt);
    }

    [LoggerMessage(LogLevel.Information, "Sent {Quantity} x {Article}, order {Id}, attempt {Attempt}.")]
    private static partial void Sent(ILogger log, int quantity, string? article, Guid id, int attempt);
}
