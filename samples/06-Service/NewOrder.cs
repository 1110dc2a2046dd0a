namespace BufferedMessages.Samples.Service;

/// <summary>The body of a request for an order.</summary>
internal sealed record NewOrder(string Article, int Quantity = 1);
