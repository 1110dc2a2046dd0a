using System.Runtime.CompilerServices;

namespace BufferedMessages.CrossProcess.Writes;

/// <summary>A process that writes messages.</summary>
internal static class WriteParts
{
    /// <summary>Calculates the size of a message and writes it.</summary>
    public static void WriteOnce(string[] arguments)
    {
        var shipment = Shipment.Create();
        var destination = new byte[shipment.CalculateSize()];
        Console.Out.WriteLine(shipment.Write(destination) == destination.Length ? "written" : "of another size");
    }

    /// <summary>Makes an object by a method that the runtime shares between classes.</summary>
    public static void WriteShared(string[] arguments) => Console.Out.WriteLine(Make<List<Parcel>>().Count == 0 ? "written" : "of another size");

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T Make<T>()
        where T : new()
        => new();
}
