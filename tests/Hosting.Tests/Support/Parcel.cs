namespace BufferedMessages.Hosting.Tests;

/// <summary>A message that cannot be read as any other of the tests.</summary>
[BufferedMessageSource]
public partial class Parcel
{
    public double Weight { get; set; }

    public List<long>? Orders { get; set; }
}
