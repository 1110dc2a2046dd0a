namespace BufferedMessages.Samples.Tests.Architecture;

/// <summary>A file of one room uses a type of another.</summary>
internal sealed record RoomUse(string From, string File, string To, string Type)
{
    public override string ToString() => $"{From}/{File} uses {To}/{Type}";
}
