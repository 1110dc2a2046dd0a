namespace BufferedMessages.Samples.Service;

/// <summary>An order, published by the API and handled by the worker.</summary>
[BufferedMessageSource]
public partial record Order(Guid Id, string Article, int Quantity);
